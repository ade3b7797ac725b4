import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { writeOffBill } from "../bill-acts/writeoff.service.ts";
import { allocateFlow, takeBack } from "../flow/allocate.service.ts";
import { confirmFlow } from "../flow/pending.service.ts";
import { bookCost, payCost } from "../flow/booking.service.ts";
import { someAccounts, take, type Accounts } from "../flow/flow.sample.ts";
import { setBilling } from "../setting/setting.service.ts";

type Name = "liSi" | "hongYuan" | "zhaoLiu" | "zhangSan" | "zhouBa" | "wangWu" | "sunQi";
export type March = {
  a: Store;
  b: Store;
  accounts: { a: Accounts; b: Accounts };
  bills: Record<string, number>;
};

const month = (from: string, to: string) => ({ periodStart: from, periodEnd: to });
const MARCH = month("2026-03-01", "2026-03-31");
/** A charge that is earned over the days it is for. */
const over = (subject: string, amount: number, period: ReturnType<typeof month>) =>
  aLine(subject, amount, {
    ...period,
    slices: [{ from: period.periodStart, to: period.periodEnd, amount }],
  });

/**
 * The example month as far as its events exist: bills, receipts, late fee, adjustment, write-off, cost. Bank claims
 * are booked as confirmed transfers of the same day; set-off, refund, hand-over, invoices and third-party income are
 * left out.
 */
export async function march2026(house: TestHouse): Promise<March> {
  const at = (day: string, time = "10:00") => house.setClock(`${day}T${time}:00+08:00`);
  at("2026-01-05");
  const [a, b] = [await aStore(house), await aStore(house)];
  const { db } = house.database;
  await setBilling({ tx: db }, { enterpriseId: house.enterpriseId }, { writeOffMinDays: 60 });
  const accounts = { a: await someAccounts(house, a), b: await someAccounts(house, b) };
  const bills: Record<string, number> = {};
  const people: Partial<Record<Name, { partyId: number; contractId: number; store: Store }>> = {};
  const sign = async (name: Name, text: string, store: Store, kind = "renter") => {
    const partyId = await aParty(house, text, { kind });
    people[name] = { partyId, contractId: await aContract(house, store, partyId), store };
  };
  const bill = async (
    key: string,
    name: Name,
    dueDate: string,
    lines: ReturnType<typeof aLine>[],
    graceDays = 3,
  ) => {
    const { partyId, contractId, store } = people[name]!;
    const { periodStart, periodEnd } = lines[0]!;
    bills[key] = await aBill(house, store, partyId, {
      contractId,
      dueDate,
      lines,
      periodStart,
      periodEnd,
      graceDays,
    });
  };
  const pay = async (
    name: Name,
    keys: string[],
    amount: number,
    channel: "wechat" | "pos" | "cash" | "bankTransfer",
    day: string,
  ) => {
    const { partyId, store } = people[name]!;
    const ids = keys.map((key) => bills[key]!);
    const paidAt = `${day}T09:00:00+08:00`;
    const using = store === a ? accounts.a : accounts.b;
    const made = await take(house, store, using, partyId, { amount, channel, paidAt, bills: ids });
    if (made.state === "pending") await acting(house, (act) => confirmFlow(act, made.id!));
    return made.id!;
  };

  await sign("wangWu", "王五", a);
  await bill("wangWu", "wangWu", "2026-01-05", [over("rent", 50_000, month("2026-01-01", "2026-01-31"))]);
  at("2026-02-20");
  await sign("liSi", "李四", a);
  await sign("sunQi", "孙七", b);
  await bill("liSiDeposit", "liSi", "2026-02-20", [aLine("deposit", 280_000, { slices: [] })]);
  await bill("sunQiDeposit", "sunQi", "2026-02-20", [aLine("deposit", 310_000, { slices: [] })]);
  await bill("sunQiRent", "sunQi", "2026-02-20", [over("rent", 310_000, MARCH)]);
  await pay("liSi", ["liSiDeposit"], 280_000, "bankTransfer", "2026-02-20");
  const sunQiPaid = await pay("sunQi", ["sunQiDeposit", "sunQiRent"], 620_000, "bankTransfer", "2026-02-20");

  at("2026-03-01");
  await bill("liSi", "liSi", "2026-03-01", [over("rent", 280_000, MARCH)]);
  await bill("liSiApril", "liSi", "2026-04-01", [over("rent", 280_000, month("2026-04-01", "2026-04-30"))]);
  at("2026-03-05");
  await sign("hongYuan", "宏远商贸", b, "merchant");
  await sign("zhaoLiu", "赵六", a);
  await db
    .insertInto("feeSubject")
    .values({
      enterpriseId: house.enterpriseId,
      code: "shopRent",
      name: "商铺租金",
      kind: "income",
      taxMode: "rate",
      taxRate: "0.09",
      priority: 21,
    })
    .execute();
  await bill("hongYuan", "hongYuan", "2026-03-05", [over("shopRent", 1_000_000, MARCH)]);
  await bill("zhaoLiu", "zhaoLiu", "2026-03-05", [over("rent", 150_000, MARCH)]);
  at("2026-03-08");
  await pay("hongYuan", ["hongYuan"], 1_000_000, "bankTransfer", "2026-03-08");
  await pay("zhaoLiu", ["zhaoLiu"], 150_000, "bankTransfer", "2026-03-08");
  at("2026-03-10");
  await sign("zhangSan", "张三", a);
  const term = month("2026-03-10", "2026-04-09");
  await bill("zhangSan", "zhangSan", "2026-03-10", [
    aLine("deposit", 300_000, { slices: [] }),
    over("rent", 300_000, term),
    over("property", 10_000, term),
  ]);
  await pay("zhangSan", ["zhangSan"], 635_000, "wechat", "2026-03-10");
  at("2026-03-12");
  await sign("zhouBa", "周八", a);
  await bill("zhouBa", "zhouBa", "2026-03-12", [over("rent", 200_000, month("2026-03-12", "2026-04-11"))]);
  await pay("zhouBa", ["zhouBa"], 200_000, "pos", "2026-03-12");
  at("2026-03-20");
  await acting(house, (act) => writeOffBill(act, bills["wangWu"]!, "失联"));
  // 孙七 leaves on the 20th: what is paid is given back first, then the rent is trimmed and paid again
  const [rent] = await readBills({ tx: db }, [bills["sunQiRent"]!]);
  const row = await db
    .selectFrom("allocation")
    .select("id")
    .where("billId", "=", rent!.id)
    .executeTakeFirstOrThrow();
  await acting(house, async (act) => {
    await takeBack(act, sunQiPaid, row.id);
    await adjustLines(act, [
      { lineId: rent!.lines[0]!.id, amount: -110_000, reason: "3月20日退房", kind: "trim" },
    ]);
  });
  await acting(house, (act) =>
    allocateFlow(act, sunQiPaid, [{ billId: rent!.id, lineId: rent!.lines[0]!.id, amount: 200_000 }]),
  );
  await bill("sunQiEnd", "sunQi", "2026-03-20", [
    aLine("electric", 12_050, { slices: [] }),
    aLine("damage", 20_000, { slices: [] }),
  ]);
  at("2026-03-25");
  await acting(house, async (act) => {
    const planned = await lockBills(act, [bills["liSiApril"]!]);
    await issueBills(act, planned, (await aroundOf(act, [a.villageId])).subjects);
  });
  at("2026-03-26");
  await pay("liSi", ["liSi"], 150_000, "cash", "2026-03-26");
  at("2026-03-28");
  const subject = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  await acting(house, async (act) => {
    const cost = await bookCost(act, {
      villageId: a.villageId,
      payeeName: "洁净保洁",
      feeSubjectId: subject.id,
      ...MARCH,
      amount: 60_000,
      dueDate: "2026-03-28",
    });
    await payCost(act, cost.id, {
      amount: 60_000,
      channel: "bankTransfer",
      merchantAccountId: accounts.a.bankTransfer,
      paidAt: "2026-03-28T09:00:00+08:00",
    });
  });
  at("2026-03-31");
  return { a, b, accounts, bills };
}
