import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listMerchants, merchantCalls } from "../../customer/merchant/merchant.contract.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { undoAllocation } from "../../finance/flow/flow.contract.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";
import { correctSales, editSales, turnoverMonths } from "./statement.contract.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const { shop, as, aLease, declare, confirm, version, topUps, monthsOf } = await aTurnoverDesk(house);
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
    expect(of).toMatchObject({
      rentKind: "higherOf",
      rates: "12%",
      breakEven: 4_666_667,
      declareDay: USUAL_RULE.declareDay,
    });
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

test("what was brought for a month stays with it when it is put right", async () => {
  const lease = await aLease(BANDS);
  const { data: file } = (await sendFile(house, as, { name: "小票.png", bytes: aPng() })).body;
  const id = await declare(lease, 3, 12_000_000, { fileIds: [file.id] });
  await confirm(id);
  const body = { reason: "退货漏报", version: await version(id) };
  const { id: next } = await house.did(correctSales, { as }, { params: { id }, body });
  const slips = async () => (await monthsOf(lease)).months.find((m) => m.no === 3)!.files.map((f) => f.name);
  expect(await slips()).toEqual(["小票.png"]);
  // as the form sends it, with what it was opened with
  const put = { gross: 8_000_000, fileIds: [file.id], version: 1 };
  await house.did(editSales, { as }, { params: { id: next }, body: put });
  expect(await slips()).toEqual(["小票.png"]);
});

test("what was paid is taken back before it comes off: the refusal names the bill, and the money is the merchant's then", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 3, 12_000_000);
  const { billNo } = await confirm(id);
  const [bill] = await topUps(lease);
  const accounts = await someAccounts(house, shop as never);
  await take(house, shop as never, accounts, shop.merchantId, {
    amount: 140_000,
    paidAt: "2027-01-05T01:00:00.000Z",
    bills: [bill!.id],
    channel: "cash",
  });
  const { id: next } = await house.did(
    correctSales,
    { as },
    { params: { id }, body: { reason: "退货漏报", version: await version(id) } },
  );
  await house.did(editSales, { as }, { params: { id: next }, body: { gross: 8_000_000, version: 1 } });
  await expect(confirm(next)).rejects.toThrow(`补差账单 ${billNo} 已收款，请先撤销分配再确认`);
  const cashier = await house.person({ permits: ["#10203"], villages: [shop.villageId] });
  const { rows } = await house.database.pool.query<{ id: number; flow: number }>(
    "select a.id, a.flow_id flow from allocation a join bill_line l on l.id = a.bill_line_id where l.bill_id = $1",
    [bill!.id],
  );
  const params = { id: Number(rows[0]!.flow), allocationId: Number(rows[0]!.id) };
  await house.did(undoAllocation, { as: cashier }, { params });
  expect((await confirm(next)).change).toBe(-140_000);
  expect((await topUps(lease))[0]).toMatchObject({ amount: 0, outstanding: 0 });
  expect(await breaks()).toEqual([]);
});

test("a month that is closed while another is put right bills its own top-up and takes nothing off the other's", async () => {
  const lease = await aLease(BANDS);
  const march = await declare(lease, 3, 12_000_000);
  const { change: first } = await confirm(march);
  const { id: next } = await house.did(
    correctSales,
    { as },
    { params: { id: march }, body: { reason: "退货漏报", version: await version(march) } },
  );
  const april = await confirm(await declare(lease, 4, 12_000_000));
  expect([april.change, april.preview.note]).toEqual([first, ""]);
  expect((await topUps(lease)).map((b) => b.amount)).toEqual([first, first]);
  await house.did(editSales, { as }, { params: { id: next }, body: { gross: 8_000_000, version: 1 } });
  expect((await confirm(next)).change).toBe(-first);
  // it comes off the bill of its own month
  expect((await topUps(lease)).map((b) => [b.title, b.amount]).toSorted()).toEqual([
    ["2026-03 营业额提成", 0],
    ["2026-04 营业额提成", first],
  ]);
  expect(await breaks()).toEqual([]);
});

describe("a year settled by the year, whose single months cost 1,400.00, 200.00 and 2,600.00 beyond the base", () => {
  const thousands = [40, 35, 60, 55, 80, 90, 70, 65, 95, 120, 110, 130];
  const months = thousands.map((n, i) => ({ no: i + 1, net: n * 100_000 }));
  const [january, ...others] = months;
  test.each([
    ["December closes it", months, [140_000, 20_000, -160_000]],
    [
      "a month that was missing closes it: 4,200.00",
      [...others, january!],
      [140_000, 20_000, 260_000, -420_000],
    ],
  ])("gives back what was billed when %s", async (_, order, expected) => {
    const lease = await aLease({ ...BANDS, settleBasis: "year" });
    const changes: number[] = [];
    for (const { no, net } of order) changes.push((await confirm(await declare(lease, no, net))).change);
    expect(changes.filter((change) => change !== 0)).toEqual(expected);
    const left = await topUps(lease);
    expect(left.reduce((sum, b) => sum + b.amount, 0)).toBe(0);
    expect(await breaks()).toEqual([]);
  });
});

describe("half a month, the last fifteen of the thirty days of April at a base of 10,000.00", () => {
  test.each([
    ["marginal", 570_000, 70_000],
    ["whole", 720_000, 220_000],
  ] as const)(
    "has half the limits and half the base: 60,000.00 by %s bands",
    async (bandMode, share, topUp) => {
      const from = { start: "2026-04-16", calendarPeriods: true };
      const lease = await aLease({ ...BANDS, bandMode }, 1_000_000, from);
      const { preview, change } = await confirm(await declare(lease, 1, 6_000_000));
      expect(preview).toMatchObject({ base: 500_000, share, topUp });
      expect(change).toBe(topUp);
      expect(await topUps(lease)).toMatchObject([{ amount: topUp }]);
    },
  );
});

describe("the year of E20, month by month", () => {
  const thousands = [40, 35, 60, 55, 80, 90, 70, 65, 95, 120, 110, 130];
  /** Closes all months in turn; what each was billed beyond the base, and how its share came about. */
  async function closed(lease: number) {
    const changes: number[] = [];
    const parts: string[][] = [];
    for (const [i, n] of thousands.entries()) {
      const { change, preview } = await confirm(await declare(lease, i + 1, n * 100_000));
      changes.push(change);
      parts.push(preview.parts);
    }
    const months = (await monthsOf(lease)).months.filter((m) => m.no <= 12);
    const sum = (of: (m: (typeof months)[number]) => number | null) =>
      months.reduce((all, m) => all + (of(m) ?? 0), 0);
    return { changes, parts, shares: months.toSorted((a, b) => a.no - b.no).map((m) => m.share), sum };
  }

  test("settled by the month 84,700.00 are the share and 124,200.00 the rent of the year", async () => {
    const lease = await aLease(BANDS);
    const { changes, shares, sum } = await closed(lease);
    expect(shares).toEqual([
      ...[320_000, 280_000, 500_000, 450_000, 700_000, 800_000],
      ...[600_000, 550_000, 850_000, 1_140_000, 1_020_000, 1_260_000],
    ]);
    expect(sum((m) => m.share)).toBe(8_470_000);
    expect(changes.slice(0, 9)).toEqual(Array(9).fill(0));
    expect(changes.slice(9)).toEqual([140_000, 20_000, 260_000]);
    expect((await topUps(lease)).reduce((all, b) => all + b.amount, 0)).toBe(420_000);
    expect(sum((m) => m.rent)).toBe(12_420_000);
    expect(sum((m) => m.audited)).toBe(95_000_000);
  });

  test("of turnover alone by bands of the year it is 83,000.00, the tenth month 800.00 + 11,000.00", async () => {
    const bands = [
      { upTo: 60_000_000, rate: "8" },
      { upTo: 120_000_000, rate: "10" },
      { upTo: null, rate: "12" },
    ];
    const lease = await aLease({ ...BANDS, rentKind: "turnover", bandBasis: "year", bands }, 0);
    const { changes, parts, sum } = await closed(lease);
    expect(changes[9]).toBe(1_180_000);
    expect(parts[9]).toEqual(["10,000.00 × 8% = 800.00", "110,000.00 × 10% = 11,000.00"]);
    expect(sum((m) => m.share)).toBe(8_300_000);
    expect((await topUps(lease)).reduce((all, b) => all + b.amount, 0)).toBe(8_300_000);
  });
});

test("bands over the year: a month that is closed late or put right moves the shares of those after it, so they add up to the bills", async () => {
  const bands = [
    { upTo: 10_000_000, rate: "8" },
    { upTo: null, rate: "10" },
  ];
  const lease = await aLease({ ...BANDS, rentKind: "turnover", bandBasis: "year", bands });
  const shares = async () =>
    (await monthsOf(lease)).months
      .filter((m) => m.no <= 3 && m.id !== null)
      .toSorted((a, b) => a.no - b.no)
      .map((m) => [m.no, m.share, m.topUp]);
  const billed = async () => (await topUps(lease)).reduce((sum, b) => sum + b.amount, 0);
  await confirm(await declare(lease, 1, 6_000_000));
  await confirm(await declare(lease, 3, 6_000_000));
  expect(await shares()).toEqual([
    [1, 480_000, 480_000],
    [3, 520_000, 520_000],
  ]);
  const late = await declare(lease, 2, 6_000_000);
  expect((await confirm(late)).change).toBe(600_000);
  expect(await shares()).toEqual([
    [1, 480_000, 480_000],
    [2, 520_000, 520_000],
    [3, 600_000, 600_000],
  ]);
  expect(await billed()).toBe(1_600_000);
  const { id: next } = await house.did(
    correctSales,
    { as },
    { params: { id: late }, body: { reason: "退货漏报", version: await version(late) } },
  );
  await house.did(editSales, { as }, { params: { id: next }, body: { gross: 2_000_000, version: 1 } });
  expect((await confirm(next)).change).toBe(-400_000);
  expect(await shares()).toEqual([
    [1, 480_000, 480_000],
    [2, 160_000, 160_000],
    [3, 560_000, 560_000],
  ]);
  expect(await billed()).toBe(1_200_000);
  expect(await breaks()).toEqual([]);
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
