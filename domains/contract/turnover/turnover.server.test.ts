import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { listMerchants, merchantCalls } from "../../customer/merchant/merchant.contract.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { contractBills } from "../contract/detail.contract.ts";
import { createContract } from "../contract/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { aFirmShop, aMerchantForm, aShopRoom, type FirmShop } from "../contract/firm.sample.ts";
import { USUAL_RULE, type TurnoverRule } from "./rule.contract.ts";
import {
  confirmSales,
  correctSales,
  declareSales,
  editSales,
  previewSales,
  removeSales,
  submitSales,
  turnoverMonths,
} from "./statement.contract.ts";

const house = await testHouse();
const { db } = house.database;
let shop: FirmShop, as: Person;

const BANDS: TurnoverRule = {
  ...USUAL_RULE,
  bands: [
    { upTo: 5_000_000, rate: "8" },
    { upTo: 10_000_000, rate: "10" },
    { upTo: null, rate: "12" },
  ],
};

beforeAll(async () => {
  house.setClock("2026-01-01T10:00:00+08:00");
  shop = await aFirmShop(house, { permits: ["#10711", "#10712"] });
  as = shop.clerk;
});

let stores = 0;
/** A year's lease of a shop from January at a base, with a rule; the year is over. */
async function aLease(turnover: TurnoverRule, rent = 1_000_000) {
  house.setClock("2026-01-01T10:00:00+08:00");
  const roomId = await aShopRoom(house, shop, `S${++stores}`);
  const form = aMerchantForm(shop, roomId, { start: "2026-01-01", rent, turnover });
  const { id } = await signed(house, as, form, "2026-01-01");
  house.setClock("2027-01-05T10:00:00+08:00");
  return id;
}

const declare = async (contractId: number, monthNo: number, gross: number, more: object = {}) =>
  (await house.did(declareSales, { as }, { body: { contractId, monthNo, gross, ...more } })).id;
const version = async (id: number) =>
  (await db.selectFrom("salesStatement").select("version").where("id", "=", id).executeTakeFirstOrThrow())
    .version;
async function confirm(id: number, audited?: { gross: number }) {
  const preview = await house.did(previewSales, { as }, { params: { id }, body: { audited } });
  const body = { audited, previewHash: preview.hash, version: await version(id) };
  return { preview, ...(await house.did(confirmSales, { as }, { params: { id }, body })) };
}
const topUps = async (contractId: number) =>
  (await house.did(contractBills, { as }, { params: { id: contractId } })).filter((b) =>
    b.title.includes("营业额"),
  );
const monthsOf = async (contractId: number) =>
  (await house.did(turnoverMonths, { as }, { query: { merchantId: shop.merchantId } })).find(
    (c) => c.contractId === contractId,
  )!;
/** Bills, balances and the ledger agree. */
const breaks = async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks;

describe("base 5,600.00 and 12 % of turnover", () => {
  test("October's 43,000.00 are 5,160.00 by share: the base wins, and its bill of 5,600.00 is all there is", async () => {
    const lease = await aLease({ ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] }, 560_000);
    const id = await declare(lease, 10, 4_300_000);
    const { preview, billNo, change } = await confirm(id);
    expect(preview).toMatchObject({
      share: 516_000,
      base: 560_000,
      topUp: 0,
      parts: ["43,000.00 × 12% = 5,160.00"],
      note: "保底已覆盖，不出账",
    });
    expect([billNo, change]).toEqual([null, 0]);
    const of = await monthsOf(lease);
    expect(of).toMatchObject({ rentKind: "higherOf", rates: "12%", breakEven: 4_666_667 });
    expect(of.months.find((m) => m.month === "2026-10")).toMatchObject({
      declared: 4_300_000,
      audited: 4_300_000,
      base: 560_000,
      share: 516_000,
      rent: 560_000,
      topUp: 0,
      state: "confirmed",
      baseBill: { amount: 560_000 },
      bill: null,
    });
  });

  test("the merchants' list says what was turned over last month, and its sum", async () => {
    house.setClock("2026-11-05T10:00:00+08:00");
    const { list, sums } = await house.did(listMerchants, { as }, { query: {} });
    expect(list).toMatchObject([{ id: shop.merchantId, turnover: 4_300_000 }]);
    expect(sums).toMatchObject({ turnover: 4_300_000 });
    house.setClock("2026-12-05T10:00:00+08:00");
    expect((await house.did(listMerchants, { as }, { query: {} })).sums).toMatchObject({ turnover: 0 });
  });

  test("the merchant is not deleted while there is a contract, which is named", async () => {
    const { contractNo } = (
      await house.did(turnoverMonths, { as }, { query: { merchantId: shop.merchantId } })
    )[0]!;
    const gone = await house.ask(
      merchantCalls.remove,
      { as },
      { params: { id: shop.merchantId }, query: { version: 1 } },
    );
    expect(gone.status).toBe(409);
    expect(gone.body.message).toContain(contractNo);
  });
});

describe("120,000.00 at a base of 10,000.00", () => {
  test.each([
    ["marginal", 140_000],
    ["whole", 440_000],
  ] as const)(
    "%s bands: one bill of the top-up; corrected to 80,000.00 the same sum comes off it",
    async (bandMode, sum) => {
      const lease = await aLease({ ...BANDS, bandMode });
      const id = await declare(lease, 3, 12_500_000, { refunds: 300_000, excluded: 200_000 });
      const done = await confirm(id);
      expect(done.change).toBe(sum);
      expect(await topUps(lease)).toMatchObject([
        {
          title: "2026-03 营业额提成",
          amount: sum,
          dueDate: "2027-01-05",
          lines: [{ periodStart: "2026-03-01", amount: sum }],
        },
      ]);
      const month = (await monthsOf(lease)).months.find((m) => m.no === 3)!;
      expect(month).toMatchObject({
        state: "billed",
        topUp: sum,
        rent: 1_000_000 + sum,
        bill: { billNo: done.billNo, amount: sum },
      });

      const { id: next } = await house.did(
        correctSales,
        { as },
        { params: { id }, body: { reason: "退货漏报", version: await version(id) } },
      );
      await house.did(editSales, { as }, { params: { id: next }, body: { gross: 8_000_000, version: 1 } });
      expect((await confirm(next)).change).toBe(-sum);
      const [bill] = await topUps(lease);
      expect(bill).toMatchObject({ amount: 0, outstanding: 0 });
      expect(bill!.lines.map((l) => [l.kind, l.amount])).toEqual([
        ["normal", sum],
        ["adjust", -sum],
      ]);
      expect(await breaks()).toEqual([]);
    },
  );
});

test("a year settled by the year gives back the 4,200.00 that single months had cost", async () => {
  const lease = await aLease({ ...BANDS, settleBasis: "year" });
  const thousands = [40, 35, 60, 55, 80, 90, 70, 65, 95, 120, 110, 130];
  const changes: number[] = [];
  for (const [i, n] of thousands.entries())
    changes.push((await confirm(await declare(lease, i + 1, n * 100_000))).change);
  expect(changes).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 140_000, 20_000, -160_000]);
  const left = await topUps(lease);
  expect(left.reduce((sum, b) => sum + b.amount, 0)).toBe(0);
});

test("the audit's figures count, and what was declared stays beside them", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 5, 8_000_000);
  expect((await confirm(id, { gross: 12_000_000 })).change).toBe(140_000);
  expect((await monthsOf(lease)).months.find((m) => m.no === 5)).toMatchObject({
    declared: 8_000_000,
    audited: 12_000_000,
    source: "audited",
  });
});

test("two confirm at once: one bill; a stale preview is refused with the new one", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 4, 12_000_000);
  const { hash } = await house.did(previewSales, { as }, { params: { id }, body: {} });
  const once = (key: string) =>
    house.ask(confirmSales, { as, key }, { params: { id }, body: { previewHash: hash, version: 1 } });
  const answers = await Promise.all([once("turnover-race-1"), once("turnover-race-2")]);
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
  expect(await topUps(lease)).toHaveLength(1);

  const other = await declare(lease, 6, 12_000_000);
  const wrong = await house.ask(
    confirmSales,
    { as, key: "turnover-stale-1" },
    { params: { id: other }, body: { previewHash: hash, version: 1 } },
  );
  expect([wrong.status, wrong.body.message]).toEqual([409, "账单试算已变化，请核对后重新确认"]);
});

test("what cannot be declared: less than nothing, a month to come, a month twice", async () => {
  const lease = await aLease(BANDS);
  house.setClock("2026-04-20T10:00:00+08:00");
  const said = async (body: object) =>
    (await house.ask(declareSales, { as }, { body: { contractId: lease, monthNo: 3, gross: 100, ...body } }))
      .body.message;
  expect(await said({ refunds: 101 })).toBe("净额不能为负");
  expect(await said({ monthNo: 4 })).toBe("该月 2026-04-30 结束后才能申报");
  expect(await said({ monthNo: 5 })).toBe("不能申报未来月份");
  expect(await said({ monthNo: 13 })).toBe("该月不在租期内");
  const id = await declare(lease, 3, 100, { submit: false });
  expect(await said({})).toBe("该月已申报，请更正");
  const preview = await house.ask(previewSales, { as }, { params: { id }, body: {} });
  expect(preview.body.message).toBe("当前状态为“草稿”，不能确认");
  await house.did(submitSales, { as }, { params: { id }, body: { version: 1 } });
  const back = await house.did(
    correctSales,
    { as },
    { params: { id }, body: { reason: "请附收银小票", version: 2 } },
  );
  expect(back.id).toBe(id);
  await house.did(removeSales, { as }, { params: { id }, query: { version: 3 } });
});

test("each act has its own code, and a store's clerk sees the shops of that store alone", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 2, 12_000_000);
  const clerk = await house.person({ permits: ["107.get", "107.edit"], villages: [shop.villageId] });
  const elsewhere = await house.person({ permits: ["107.get", "107.edit", "#10711"], villages: [] });
  const ask = async (who: Person) =>
    (await house.ask(previewSales, { as: who }, { params: { id }, body: {} })).status;
  expect([await ask(clerk), await ask(elsewhere)]).toEqual([403, 404]);
  const months = { query: { merchantId: shop.merchantId } };
  expect((await house.ask(turnoverMonths, { as: elsewhere }, months)).status).toBe(404);
  await expect(
    db.updateTable("salesStatement").set({ gross: -1 }).where("id", "=", id).execute(),
  ).rejects.toThrow();
  await confirm(id);
  await expect(
    db.updateTable("salesStatement").set({ gross: 1 }).where("id", "=", id).execute(),
  ).rejects.toThrow(/stays/);
});

test("a shop may pay of its turnover alone: no rent is billed ahead, every month afterwards", async () => {
  const only: TurnoverRule = { ...BANDS, rentKind: "turnover" };
  const lease = await aLease(only, 0);
  const bills = await house.did(contractBills, { as }, { params: { id: lease } });
  expect(bills.reduce((sum, b) => sum + b.amount, 0)).toBe(0);
  expect((await confirm(await declare(lease, 1, 4_300_000))).change).toBe(344_000);
});

test("a rule that does not rise is told at its field, in a contract of a merchant alone", async () => {
  const roomId = await aShopRoom(house, shop, `S${++stores}`);
  const wrong = { ...BANDS, bands: [{ upTo: 100, rate: "8" }] };
  const form = aMerchantForm(shop, roomId, { start: "2027-02-01", turnover: wrong });
  const { id } = await house.did(createContract, { as }, { body: form });
  const answer = await house.ask(previewContract, { as }, { body: { id } });
  expect(answer.body.fields).toEqual([{ field: "turnover.bands.0.upTo", msg: "最后一档不设上限" }]);
});
