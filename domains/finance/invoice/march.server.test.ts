import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { bookBalance } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { march2026, type March } from "../check/march.sample.ts";
import { aConf } from "../einvoice/einvoice.sample.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { cancelInvoice, issueInvoice } from "./acts.contract.ts";
import { listInvoices } from "./invoice.contract.ts";
import {
  APPLYING,
  applied,
  COMPANY,
  invoiceOf,
  ISSUING,
  lineOf,
  onInvoiceNow,
  PERSON,
} from "./invoice.sample.ts";

const house = await testHouse();
let m: March;
let as: Person;
let villages: number[];
let shop = 0;
beforeAll(async () => {
  m = await march2026(house);
  villages = [m.a.villageId, m.b.villageId];
  await aConf(
    house,
    villages,
    {},
    {
      shopRent: {
        taxMode: "rate",
        taxRate: 0.09,
        itemCode: "3040502020200000000",
        itemName: "商铺租金",
        element: "lease",
      },
    },
  );
  as = await house.person({ permits: [...APPLYING, ...ISSUING], villages });
  shop = m.bills["hongYuan"]!;
}, 60_000);

test("March: 3,000.00 at 1.5% reduced and 10,000.00 at 9% make 13,000.00 with 868.55 of tax, as the ledger says (R6)", async () => {
  const zhang = await lineOf(house, m.bills["zhangSan"]!);
  const hong = await lineOf(house, shop, "shopRent");
  const one = await applied(house, as, [{ lineId: zhang.id, amount: 300_000 }], {
    ...PERSON,
    issueNow: true,
  });
  const two = await applied(house, as, [{ lineId: hong.id, amount: 1_000_000 }], {
    ...COMPANY,
    issueNow: true,
  });
  await house.deliver();
  expect(await invoiceOf(house, as, one.ids[0]!)).toMatchObject({
    state: "issued",
    tax: 4286,
    kind: "general",
  });
  expect(await invoiceOf(house, as, two.ids[0]!)).toMatchObject({
    state: "issued",
    tax: 82_569,
    kind: "special",
  });
  const { sums } = await house.did(listInvoices, { as }, { query: { tab: "issued" } });
  expect(sums).toEqual({ amount: 1_300_000, tax: 86_855 });
  expect(-(await bookBalance(house, "2221"))).toBe(86_855);
  expect([
    -(await bookBalance(house, "2221", m.a.villageId)),
    -(await bookBalance(house, "2221", m.b.villageId)),
  ]).toEqual([4286, 82_569]);
  const { breaks, results } = await acting(house, (act) => checkLedger(act, "manual"));
  expect(breaks).toEqual([]);
  expect(results.find((r) => r.code === "R6")).toMatchObject({ expected: 86_855, actual: 86_855 });
});

test("what waits for approval is frozen, is issued when it is agreed, and lets go of its lines when it is not", async () => {
  const admin = await house.person({ superType: "1" });
  const boss = await house.person({ villages, permits: ["28.query"], name: "陈嘉禾" });
  await aModule(house, admin, {
    moduleType: "invoice",
    name: "开票审批",
    villageIds: villages,
    fallback: boss,
    processes: [from(100_000, asking("财务主管", [boss])), otherwise()],
  });
  const line = await lineOf(house, m.bills["zhouBa"]!);
  const decide = async (applyNo: string, decision: "approve" | "reject") => {
    const { rows } = await house.database.pool.query<{ id: number }>(
      "select id from examine where examine_no = $1",
      [applyNo],
    );
    const { version } = await house.did(getExamine, { as: boss }, { params: { id: rows[0]!.id } });
    await house.did(
      decideExamine,
      { as: boss },
      { params: { id: rows[0]!.id }, body: { decision, version, comment: "抬头不符" } as never },
    );
    await house.deliver();
  };
  const one = await applied(house, as, [{ lineId: line.id, amount: 200_000 }], { issueNow: true });
  expect(one.waiting).toMatch(/^SP/);
  expect(await invoiceOf(house, as, one.ids[0]!)).toMatchObject({ state: "applied", frozen: true });
  for (const call of [issueInvoice, cancelInvoice])
    expect((await onInvoiceNow(house, as, call, one.ids[0]!, { reason: "不用了" })).body.message).toBe(
      "审批中，不能修改",
    );
  await decide(one.waiting!, "reject");
  expect(await invoiceOf(house, as, one.ids[0]!)).toMatchObject({ state: "rejected", frozen: false });
  expect(await lineOf(house, m.bills["zhouBa"]!)).toMatchObject({ invoicing: 0 });

  const two = await applied(house, as, [{ lineId: line.id, amount: 200_000 }]);
  await decide(two.waiting!, "approve");
  expect(await invoiceOf(house, as, two.ids[0]!)).toMatchObject({ state: "issued", frozen: false });

  // agreed when the line has fallen meanwhile: nothing is sent
  const shopLine = await lineOf(house, m.bills["zhaoLiu"]!);
  const three = await applied(house, as, [{ lineId: shopLine.id, amount: 150_000 }]);
  await house.database.pool.query("update bill_line set settled = 0 where id = $1", [shopLine.id]);
  await house.database.pool.query("update bill set settled = 0 where id = $1", [m.bills["zhaoLiu"]]);
  await acting(house, (act) => adjustLines(act, [{ lineId: shopLine.id, amount: -50_000, reason: "减免" }]));
  await decide(three.waiting!, "approve");
  expect(await invoiceOf(house, as, three.ids[0]!)).toMatchObject({
    state: "failed",
    reason: "可开票金额已变化",
  });
});
