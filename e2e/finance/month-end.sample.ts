import type { Locator } from "playwright-core";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { addAccount, linkAccount } from "../../domains/finance/account/account.service.ts";
import { aBill, aLine, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { aCompanyAccount } from "../../domains/finance/corporate/corporate.sample.ts";
import { bookCost } from "../../domains/finance/flow/booking.service.ts";
import { take } from "../../domains/finance/flow/flow.sample.ts";
import { APPLYING, ISSUING } from "../../domains/finance/invoice/invoice.sample.ts";
import { setBilling } from "../../domains/finance/setting/setting.service.ts";
import { MERCHANT, PID } from "../../domains/finance/statement/statement.sample.ts";
import { acting } from "../../domains/listing/village/village.sample.ts";
import { addDays, addToMonth, dayInZone, firstOf, lastOf, monthOf } from "../../platform/kernel/day.ts";
import type { TestHouse } from "../../platform/server/process/house.sample.ts";
import { PHONE } from "../browser.sample.ts";

/**
 * The month before in the store 月结店, with who closes it: three rents (6,350.00, 2,800.00, 10,000.00), what was paid by phone on
 * its first day, and a cleaning that is owed. WeChat Pay took 7,050.00 in three payments, Alipay 2,800.00 in one.
 */
export async function aMonthLived(house: TestHouse) {
  const { db, pool } = house.database;
  const desk = await aDesk(house, {
    village: "月结店",
    permits: [
      ...[
        "25.query",
        "25.import",
        "25.export",
        "#2501",
        "26.query",
        "26.get",
        "102.query",
        "102.get",
        "102.add",
        "#6501",
      ],
      ...["query", "get", "add", "import", "export"].map((act) => `97.${act}`),
      ...["query", "get", "add", "edit", "delete", "export"].map((act) => `200.${act}`),
      ...["#9701", "#9702", "#20001", "#20002", "#20003", ...APPLYING, ...ISSUING],
    ],
  });
  const { villageId, clerk } = desk;
  const store = { villageId, roomId: await desk.room("7001") };
  const today = dayInZone(new Date());
  const month = addToMonth(monthOf(today), -1);
  const [day, last] = [firstOf(month), lastOf(month)];
  const at = `${day} 08:00:00`;

  const channel = async (kind: "wechat" | "alipay", name: string, mchId: string) => {
    const act = { tx: db };
    const id = await addAccount(act, {
      enterpriseId: house.enterpriseId,
      name,
      kind,
      holderVillageId: villageId,
      feeRate: "0.006",
      mchId,
    });
    await linkAccount(act, { villageId, payType: kind, merchantAccountId: id });
    return id;
  };
  const wechat = await channel("wechat", "门店微信收款", MERCHANT);
  const alipay = await channel("alipay", "门店支付宝", PID);
  await aCompanyAccount(house, villageId);
  await setBilling(
    { tx: db },
    { enterpriseId: house.enterpriseId, villageId },
    { taxPoint: "invoiceOrAccrual" },
  );
  await pool.query(
    "insert into einvoice_village (village_id, config_id) select $1, id from einvoice_config",
    [villageId],
  );

  // the month as it was lived: three rents, what was paid of them by phone, and the cleaning
  house.setClock(`${day}T12:00:00+08:00`);
  const period = { periodStart: day, periodEnd: last };
  const rentOf = (partyId: number, amount: number, title: string) =>
    aBill(house, store, partyId, {
      title,
      dueDate: day,
      graceDays: 60,
      ...period,
      lines: [aLine("rent", amount, { ...period, slices: [{ from: day, to: last, amount }] })],
    });
  const party = (name: string, kind = "renter") => aParty(house, name, { villageId, kind });
  const [zhang, wang, hongyuan] = [
    await party("张三"),
    await party("王五"),
    await party("宏远商贸", "merchant"),
  ];
  const rent = await rentOf(zhang, 635_000, "租金");
  const other = await rentOf(wang, 280_000, "租金");
  await rentOf(hongyuan, 1_000_000, "商铺租金");
  const paid = (partyId: number, no: string, amount: number, bills: number[] = [], by = wechat) =>
    take(house, store, desk.accounts, partyId, {
      amount,
      bills,
      paidAt: `${day}T08:00:00+08:00`,
      channel: by === wechat ? "wechat" : "alipay",
      merchantAccountId: by,
      outTradeNo: no,
      channelTradeNo: `${by === wechat ? "42000" : "2026"}${no}`,
    });
  await paid(zhang, "SKA", 635_000, [rent]);
  await paid(zhang, "SKB", 50_000);
  await paid(zhang, "SKC", 20_000);
  await paid(wang, "ZFA", 280_000, [other], alipay);
  const cleaning = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .where("enterpriseId", "=", house.enterpriseId)
    .executeTakeFirstOrThrow();
  await acting(house, (act) =>
    bookCost(act, {
      villageId,
      payeeName: "洁净保洁",
      feeSubjectId: cleaning.id,
      ...period,
      amount: 60_000,
      dueDate: addDays(day, 9),
    }),
  );
  house.setClock(undefined);
  return { clerk, rent, today, month, day, at };
}

/** A sheet as the browser hands it over. */
export const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

/** Whether a cell of a table lies on the phone's screen, right of the names that stay there. */
export async function inView(cell: Locator): Promise<boolean> {
  const { x, width } = (await cell.boundingBox())!;
  return x > PHONE.width / 4 && x + width <= PHONE.width;
}
