import { randomUUID } from "node:crypto";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPdf, aPng, sendFile } from "../../system/file/file.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { accrueMonth } from "../accrual/accrual.contract.ts";
import { aBill, aContract, aLine, aNewBill, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { writeOffBill } from "../bill-acts/writeoff.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { classifyBankLine } from "../corporate/corporate.contract.ts";
import { aCompanyAccount, claiming } from "../corporate/corporate.sample.ts";
import { aConf } from "../einvoice/einvoice.sample.ts";
import { bookCost, payCost } from "../flow/booking.service.ts";
import { take } from "../flow/flow.sample.ts";
import { applied, COMPANY, lineOf, PERSON } from "../invoice/invoice.sample.ts";
import { credit, debit } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { openBalances } from "../opening/opening.service.ts";
import { confirmRefund } from "../refund/refund.contract.ts";
import { applying, refundOf } from "../refund/refund.sample.ts";
import { closeAccount, lockStanding } from "../setoff/setoff.service.ts";
import { setBilling } from "../setting/setting.service.ts";
import {
  addSubmission,
  getSubmission,
  matchSubmission,
  takingItems,
} from "../submission/submission.contract.ts";
import { aConfirmed, aPartner } from "../third-party/third-party.sample.ts";

const month = (from: string, to: string) => ({ periodStart: from, periodEnd: to });
const rent = (code: string, amount: number, from = "2026-03-01", to = "2026-03-31") =>
  aLine(code, amount, { ...month(from, to), slices: [{ from, to, amount }] });
const once = (code: string, amount: number) => aLine(code, amount, { slices: [] });

/**
 * The example month whole, through the acts of people and jobs: March 2026 of two stores and head office, with bank lines,
 * claims, settlement of channels, a leaving with its refund, a hand-over that came short, a cost, a partner's share, two invoices
 * and the accrual. What was there before is booked as an opening.
 */
export async function exampleMonth(house: TestHouse) {
  const { db } = house.database;
  const { enterpriseId } = house;
  const at = (day: string) => house.setClock(`${day}T10:00:00+08:00`);
  at("2026-01-05");
  const [a, b] = [await aStore(house), await aStore(house)];
  const villages = [a.villageId, b.villageId];
  await setBilling({ tx: db }, { enterpriseId }, { writeOffMinDays: 60 });
  const bank = await aCompanyAccount(house);
  const open = async (kind: "wechat" | "pos" | "cash", name: string, more: object, stores: Store[]) => {
    const id = await addAccount({ tx: db }, { enterpriseId, name, kind, ...more });
    for (const { villageId } of stores)
      await linkAccount({ tx: db }, { villageId, payType: kind, merchantAccountId: id });
    return id;
  };
  const accounts = {
    bank: bank.accountId,
    wechat: await open("wechat", "微信商户号", { feeRate: "0.006", holderVillageId: a.villageId }, [a]),
    pos: await open("pos", "前台POS", { feeRate: "0.005", holderVillageId: a.villageId }, [a]),
    cash: await open("cash", "现金箱", { holderVillageId: a.villageId }, [a]),
  };
  for (const villageId of villages)
    await linkAccount({ tx: db }, { villageId, payType: "bankTransfer", merchantAccountId: accounts.bank });
  const lead = await house.person({ superType: "1", name: "财务主管" });
  const own = {
    wechat: accounts.wechat,
    pos: accounts.pos,
    cash: accounts.cash,
    bankTransfer: accounts.bank,
  };
  const people: Record<string, { partyId: number; contractId: number; store: Store }> = {};
  const sign = async (name: string, store: Store, kind = "renter") => {
    const partyId = await aParty(house, name, { kind, villageId: store.villageId });
    people[name] = { partyId, contractId: await aContract(house, store, partyId), store };
    return people[name];
  };
  const bills: Record<string, number> = {};
  const bill = async (key: string, name: string, dueDate: string, lines: ReturnType<typeof aLine>[]) => {
    const { partyId, contractId, store } = people[name]!;
    const { periodStart, periodEnd } = lines[0]!;
    bills[key] = await aBill(house, store, partyId, { contractId, dueDate, lines, periodStart, periodEnd });
  };
  const pay = async (
    name: string,
    keys: string[],
    amount: number,
    channel: "wechat" | "pos" | "cash",
    day: string,
  ) => {
    const { partyId, store } = people[name]!;
    const paidAt = `${day}T09:00:00+08:00`;
    await take(house, store, own, partyId, {
      amount,
      channel,
      paidAt,
      bills: keys.map((key) => bills[key]!),
    });
  };
  const claim = async (lineId: number, name: string, amount: number, keys: string[]) => {
    const { partyId, store } = people[name]!;
    const { id } = (await sendFile(house, lead, { name: "证明.png", bytes: aPng() })).body.data;
    const sent = {
      lineId,
      villageId: store.villageId,
      partyId,
      amount,
      bills: keys.map((k) => bills[k]!),
      fileIds: [id],
    };
    const { status, body } = await claiming(house, lead, sent);
    if (status !== 200) throw new Error(body.message);
  };
  const settled = async (day: string, amount: number, merchantAccountId: number) => {
    at(day);
    const lineId = await bank.came({ day, amount, name: "渠道结算" });
    const { version } = await bank.lineOf(lineId);
    const body = {
      kind: "channelSettle" as const,
      amount,
      merchantAccountId,
      from: day,
      note: "渠道结算",
      version,
    };
    await house.did(classifyBankLine, { as: lead, key: randomUUID() }, { params: { id: lineId }, body });
  };

  // what was there before: 3,800.00 of the bank and 王五's arrears from earlier years, deposits and a paid month
  at("2026-02-20");
  await sign("王五", a);
  await sign("李四", a);
  await sign("孙七", b);
  const { partyId, contractId } = people["王五"]!;
  await acting(house, async (act) => {
    const bill = { subject: "rent", title: "期初欠费", from: null, to: null, dueDate: "2026-01-05" };
    const owed = { deposit: 0, owed: [{ ...bill, amount: 50_000, paid: 0, remark: "" }], prepaid: 0 };
    const terms = { graceDays: 3, lateFeeRate: "0", lateFeeCap: "1" };
    await openBalances(act, [{ contractId, partyId, ...a, ...owed, ...terms }], "2026-02-20");
    const legs = [
      debit("1002", null, 380_000, { merchantAccountId: accounts.bank }),
      credit("3999", b.villageId, 380_000),
    ];
    await post(act, [{ event: "E30", sourceType: "opening", sourceId: 1, businessDate: "2026-02-20", legs }]);
  });
  bills["王五"] = (
    await db.selectFrom("bill").select("id").where("source", "=", "opening").executeTakeFirstOrThrow()
  ).id;
  await bill("李四押金", "李四", "2026-02-20", [once("deposit", 280_000)]);
  await bill("孙七押金", "孙七", "2026-02-20", [once("deposit", 310_000)]);
  await bill("孙七3月", "孙七", "2026-02-20", [rent("rent", 310_000)]);
  await claim(await bank.came({ day: "2026-02-20", amount: 280_000, name: "李四" }), "李四", 280_000, [
    "李四押金",
  ]);
  await claim(await bank.came({ day: "2026-02-20", amount: 620_000, name: "孙七" }), "孙七", 620_000, [
    "孙七押金",
    "孙七3月",
  ]);

  at("2026-03-01");
  await bill("李四3月", "李四", "2026-03-01", [rent("rent", 280_000)]);
  await bill("李四4月", "李四", "2026-04-01", [rent("rent", 280_000, "2026-04-01", "2026-04-30")]);
  at("2026-03-05");
  await sign("宏远商贸", b, "merchant");
  await sign("赵六", a);
  await db
    .insertInto("feeSubject")
    .values({
      enterpriseId,
      code: "shopRent",
      name: "商铺租金",
      kind: "income",
      taxMode: "rate",
      taxRate: "0.09",
    })
    .execute();
  await bill("宏远", "宏远商贸", "2026-03-05", [rent("shopRent", 1_000_000)]);
  await bill("赵六", "赵六", "2026-03-05", [rent("rent", 150_000)]);
  at("2026-03-06");
  const line = await bank.came({ day: "2026-03-06", amount: 1_200_000, name: "宏远商贸" });
  at("2026-03-08");
  await claim(line, "宏远商贸", 1_000_000, ["宏远"]);
  await claim(line, "赵六", 150_000, ["赵六"]);

  at("2026-03-10");
  await sign("张三", a);
  await bill("张三", "张三", "2026-03-10", [
    once("deposit", 300_000),
    rent("rent", 300_000, "2026-03-10", "2026-04-09"),
    rent("property", 10_000, "2026-03-10", "2026-04-09"),
  ]);
  await pay("张三", ["张三"], 635_000, "wechat", "2026-03-10");
  await settled("2026-03-11", 631_190, accounts.wechat);
  at("2026-03-12");
  await sign("周八", a);
  await bill("周八", "周八", "2026-03-12", [rent("rent", 200_000, "2026-03-12", "2026-04-11")]);
  await pay("周八", ["周八"], 200_000, "pos", "2026-03-12");
  await settled("2026-03-13", 199_000, accounts.pos);

  at("2026-03-15");
  const shop = {
    taxMode: "rate",
    taxRate: 0.09,
    itemCode: "3040502020200000000",
    itemName: "商铺租金",
    element: "lease",
  };
  await aConf(house, villages, {}, { shopRent: shop });
  const invoiced = async (key: string, code: string, amount: number, buyer: object) => {
    const { id } = await lineOf(house, bills[key]!, code);
    await applied(house, lead, [{ lineId: id, amount }], { ...buyer, issueNow: true });
    await house.deliver();
  };
  await invoiced("张三", "rent", 300_000, PERSON);
  await invoiced("宏远", "shopRent", 1_000_000, COMPANY);

  at("2026-03-20");
  await acting(house, (act) => writeOffBill(act, bills["王五"]!, "失联"));
  const leaving = { ...people["孙七"]!, ...b };
  const [march] = await readBills({ tx: db }, [bills["孙七3月"]!]);
  await acting(house, async (act) => {
    const charge = aNewBill(b, leaving.partyId, {
      contractId: leaving.contractId,
      dueDate: "2026-03-20",
      title: "退房结算",
      source: "settlement",
      lines: [once("electric", 12_050), once("damage", 20_000)],
    });
    await closeAccount(act, leaving, await lockStanding(act, leaving), {
      backs: [{ lineId: march!.lines[0]!.id, back: 110_000 }],
      charge,
      prepaid: 0,
      settleOn: "2026-03-20",
      reason: "3月20日退房",
    });
  });
  at("2026-03-22");
  const back = { villageId: b.villageId, partyId: leaving.partyId };
  const refunds = [];
  for (const of of [
    { source: "deposit" as const, sourceId: leaving.contractId, amount: 277_950 },
    { source: "prepaid" as const, sourceId: leaving.partyId, amount: 110_000 },
  ])
    refunds.push((await applying(house, lead, { ...of, ...back, payeeName: "孙七" })).body.data.id as number);
  at("2026-03-25");
  for (const id of refunds) {
    const slip = { name: "回单.pdf", bytes: aPdf(), type: "application/pdf" };
    const file = (await sendFile(house, lead, slip, "paper10M")).body.data.id;
    const { version } = await refundOf(house, lead, id);
    const body = { version, merchantAccountId: accounts.bank, fileIds: [file] };
    await house.did(confirmRefund, { as: lead, key: randomUUID() }, { params: { id }, body });
  }
  await acting(house, async (act) => {
    const planned = await lockBills(act, [bills["李四4月"]!]);
    await issueBills(act, planned, (await aroundOf(act, [a.villageId])).subjects);
  });
  at("2026-03-26");
  await pay("李四", ["李四3月"], 150_000, "cash", "2026-03-26");

  at("2026-03-27");
  const submission = await handOver(house, lead, a.villageId, accounts);
  const arrived = await bank.came({ day: "2026-03-27", amount: 148_000, name: "现金缴存" });
  const { version } = await house.did(getSubmission, { as: lead }, { params: { id: submission } });
  await house.did(
    matchSubmission,
    { as: lead, key: randomUUID() },
    { params: { id: submission }, body: { version, lineId: arrived, amount: 148_000 } },
  );
  at("2026-03-28");
  const cleaning = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  await acting(house, async (act) => {
    const cost = { payeeName: "洁净保洁", feeSubjectId: cleaning.id, amount: 60_000, dueDate: "2026-03-28" };
    const made = await bookCost(act, {
      villageId: a.villageId,
      ...month("2026-03-01", "2026-03-31"),
      ...cost,
    });
    const paidAt = "2026-03-28T09:00:00+08:00";
    const paid = {
      amount: 60_000,
      channel: "bankTransfer" as const,
      merchantAccountId: accounts.bank,
      paidAt,
    };
    await payCost(act, made.id, paid);
  });
  at("2026-03-31");
  const partner = await aPartner(house, lead, [a.villageId]);
  const share = { villageId: a.villageId, month: "2026-03", thirdPartyId: partner.id, gross: 500_000 };
  await aConfirmed(house, lead, share);
  at("2026-04-01");
  await house.did(accrueMonth, { as: lead }, { body: { villageIds: villages, month: "2026-03" } });
  return { a, b, accounts, bills, people, lead };
}
export type ExampleMonth = Awaited<ReturnType<typeof exampleMonth>>;

/** All cash of 26 March, handed over whole. */
async function handOver(
  house: TestHouse,
  as: Person,
  villageId: number,
  accounts: { cash: number; bank: number },
): Promise<number> {
  const of = { villageId, fromAccountId: accounts.cash, bankDay: "2026-03-26" };
  const { items } = await house.did(takingItems, { as }, { query: of });
  const expected = items.reduce((sum, item) => sum + item.amount, 0);
  const picture = (await sendFile(house, as, { name: "凭条.png", bytes: aPng() })).body.data.id;
  const body = {
    ...of,
    kind: "cash" as const,
    toAccountId: accounts.bank,
    flowIds: items.map((item) => item.ref),
    keptIds: [],
    repaidIds: [],
    expected,
    submitted: expected,
    pictures: [picture],
  };
  return (await house.did(addSubmission, { as, key: randomUUID() }, { body })).id;
}
