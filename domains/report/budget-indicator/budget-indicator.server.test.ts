import { beforeAll, describe, expect, test } from "vitest";
import type { March } from "../../finance/check/march.sample.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import type { z } from "zod";
import { addDays, addMonths } from "../../../platform/kernel/day.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";
import { runAccrual } from "../../finance/accrual/accrual.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { budgetMarch } from "./budget-march.sample.ts";
import * as calls from "./budget-indicator.contract.ts";

const house = await testHouse();
let m: March;
let finance: Person;
let clerk: Person;
beforeAll(async () => {
  m = await budgetMarch(house);
  finance = await house.person({ superType: "1" });
  clerk = await house.person({ permits: ["136.query"], villages: [m.b.villageId] });
}, 60_000);

type Body = z.input<typeof calls.indicatorBody>;
const shownAs = async (code: string) => {
  const { list } = await house.did(calls.listIndicators, { as: finance }, { query: { pageSize: 200 } });
  return list.find((one) => one.code === code)!;
};
const bodyOf = async (code: string): Promise<Body> => {
  const { name, parentId, kind, unit, basis, by, parts, measure, formula, agg, better, must } =
    await shownAs(code);
  return { code, name, parentId, kind, unit, basis, by, parts, measure, formula, agg, better, must };
};
const tried = (indicator: Body, villageId = m.a.villageId, month = "2026-03") =>
  house.did(calls.tryIndicator, { as: finance }, { body: { indicator, villageId, month } });
const FORMULA: Body = {
  code: "margin",
  name: "利润率",
  kind: "ratio",
  unit: "percent",
  basis: "accrual",
  by: "formula",
  formula: "利润 ÷ 收入",
  agg: "weighted",
  better: "up",
};
const refused = async (body: Body) => {
  const { body: answer } = await house.ask(calls.addIndicator, { as: finance }, { body });
  return answer.fields?.[0]?.msg ?? answer.message;
};

describe("a trial says what a store's month came to, and from what", () => {
  test("租金收入 of A in March: 7,609.07 from four lines", async () => {
    const got = await tried(await bodyOf("rentIncome"));
    expect(got).toMatchObject({ shown: "7,609.07", estimated: false, total: 4 });
    expect(got.rows.map((row) => row.shown)).toEqual(["2,760.00", "2,098.61", "1,478.57", "1,271.89"]);
    expect(got.rows[0]).toMatchObject({ what: "收入确认", about: "李四 租金", day: "2026-03-31" });
    expect((await tried(await bodyOf("rentIncome"), m.b.villageId)).shown).toBe("11,145.74");
    expect((await tried(await bodyOf("propertyIncome"))).shown).toBe("66.95");
  });

  test("利润 is 收入 − 营业成本 − 手续费 − 坏账: 9,310.57 for A, 11,345.74 for B", async () => {
    const got = await tried(await bodyOf("profit"));
    expect(got.shown).toBe("9,310.57");
    expect(Object.fromEntries(got.rows.map((row) => [row.what, row.shown]))).toEqual({
      收入: "10,458.67",
      营业成本: "600.00",
      手续费: "48.10",
      坏账: "500.00",
    });
    expect((await tried(await bodyOf("profit"), m.b.villageId)).shown).toBe("11,345.74");
  });

  test("出租率 of A: 104 of 155 room nights, the room out of use left out", async () => {
    const got = await tried(await bodyOf("occupancy"));
    expect(got.shown).toBe("67.10%");
    expect(got.rows).toHaveLength(31);
    expect(got.rows[0]).toMatchObject({ day: "2026-03-01", about: "可租 5 间", shown: "2 间" });
    expect((await tried(await bodyOf("newRooms"))).shown).toBe("2");
  });

  test("应收 and 实收 come from the receivables of a subject", async () => {
    const rent = (await bodyOf("rentIncome")).parts![0]!;
    const on = (basis: "billed" | "cash"): Body => ({
      ...FORMULA,
      kind: "income",
      unit: "yuan",
      by: "money",
      formula: "",
      agg: "sum",
      basis,
      parts: [{ ...rent, account: "1122" }],
    });
    // 2,800.00 + 2,800.00 + 1,500.00 + 3,000.00 + 2,000.00 billed in March; paid: 1,500.00 less late fee, and the rest in full
    expect((await tried(on("billed"))).shown).toBe("12,100.00");
    const cash = await tried(on("cash"));
    expect(cash.rows.reduce((sum, row) => sum + Number(row.shown.replaceAll(",", "")), 0)).toBeCloseTo(
      Number(cash.shown.replaceAll(",", "")),
      2,
    );
  });

  test("a month that is not accrued is expected as far as its days have passed, and says so", async () => {
    const got = await tried(await bodyOf("rentIncome"), m.a.villageId, "2026-04");
    // until 2 April: 2 of 30 days of 李四's April, of 9 and 11 days left of 张三's and 周八's months
    expect(got.estimated).toBe(true);
    expect(got.rows.map((row) => row.about).toSorted()).toEqual(["周八 租金", "张三 租金", "李四 租金"]);
    expect(got.shown).toBe("501.97");
  });
});

describe("an indicator", () => {
  test("is added, changed and put in its place; its source is logged when it changes", async () => {
    const { id } = await house.did(calls.addIndicator, { as: finance }, { body: FORMULA });
    expect(await house.did(calls.getIndicator, { as: finance }, { params: { id } })).toMatchObject({
      sourceText: "利润 ÷ 收入",
      formula: "利润 ÷ 收入",
    });
    expect((await tried(await bodyOf("margin"))).shown).toBe("89.02%");
    const { code: _, ...rest } = FORMULA;
    const body = { ...rest, formula: "利润 ÷ (收入 + 营业成本)", version: 1 };
    await house.did(calls.editIndicator, { as: finance }, { params: { id }, body });
    const { rows } = await house.database.pool.query<{ summary: string }>(
      "select summary from business_log where kind = 'budgetIndicator' and record_id = $1 order by id desc limit 1",
      [id],
    );
    expect(rows[0]!.summary).toBe("修改预算指标 利润率，取数由“利润 ÷ 收入”改为“利润 ÷ (收入 + 营业成本)”");
    const stale = await house.ask(calls.editIndicator, { as: finance }, { params: { id }, body });
    expect(stale.body).toMatchObject({ code: 409, message: "数据已被他人修改，请刷新后重试" });
    const tops = (
      await house.did(calls.listIndicators, { as: finance }, { query: { pageSize: 200 } })
    ).list.filter((one) => one.parentId === null);
    const ids = [id, ...tops.map((one) => one.id).filter((one) => one !== id)];
    await house.did(calls.orderIndicators, { as: finance }, { body: { ids } });
    const first = (await house.did(calls.listIndicators, { as: finance }, { query: {} })).list[0]!;
    expect(first.name).toBe("利润率");
    await house.did(calls.deleteIndicator, { as: finance }, { params: { id }, query: { version: 2 } });
    expect(await shownAs("margin")).toBeUndefined();
  });

  test("never rests on itself, and names what it is made of", async () => {
    expect(await refused({ ...FORMULA, formula: "利润率 + 收入" })).toBe("指标公式存在循环引用");
    expect(await refused({ ...FORMULA, formula: "利润 ÷ 房租" })).toBe("公式中的指标“房租”不存在");
    expect(await refused({ ...FORMULA, formula: "利润 ÷" })).toBe(
      "公式不正确，请用指标名称或编码和 + − × ÷ 组成",
    );
    expect(await refused({ ...FORMULA, name: "123" })).toBe("名称不能为纯数字");
    expect(await refused({ ...FORMULA, code: "profit" })).toBe("编码已存在");
    const income = await shownAs("income");
    const { code: _, ...rest } = await bodyOf("income");
    const { body } = await house.ask(
      calls.editIndicator,
      { as: finance },
      {
        params: { id: income.id },
        body: { ...rest, by: "formula", formula: "利润 + 坏账", version: income.version },
      },
    );
    expect(body.fields).toEqual([{ field: "formula", msg: "指标公式存在循环引用" }]);
  });

  test("that a formula names is neither deleted nor taken out of use", async () => {
    const fee = await shownAs("channelFee");
    const gone = await house.ask(
      calls.deleteIndicator,
      { as: finance },
      { params: { id: fee.id }, query: { version: fee.version } },
    );
    expect(gone.body.message).toBe("“利润”的公式引用了该指标，不能删除");
    const off = await house.ask(
      calls.disableIndicator,
      { as: finance },
      { params: { id: fee.id }, body: { version: fee.version } },
    );
    expect(off.body.message).toBe("“利润”的公式引用了该指标，不能停用");
  });

  test("is for whoever holds the function, in their stores", async () => {
    const one = await bodyOf("rentIncome");
    expect((await house.ask(calls.addIndicator, { as: clerk }, { body: FORMULA })).status).toBe(403);
    const may = await house.person({ permits: ["136.add"], villages: [m.b.villageId] });
    const elsewhere = { indicator: one, villageId: m.a.villageId, month: "2026-03" };
    expect((await house.ask(calls.tryIndicator, { as: may }, { body: elsewhere })).status).toBe(404);
  });
});

test("a lease that is recognised evenly is expected month by month as its accrual books it, whatever is billed", async () => {
  house.setClock("2026-02-16T10:00:00+08:00");
  const store = await aStore(house);
  const { enterpriseId } = house;
  const { db, pool } = house.database;
  await setBilling(
    { tx: db },
    { enterpriseId, villageId: store.villageId },
    { recognition: "straightLine" },
    { from: "2026-01-01" },
  );
  const partyId = await aParty(house);
  const contractId = await aContract(house, store, partyId, { no: "HT-EVEN", end: "2027-12-31" });
  await pool.query("update contract set signed_on = '2026-01-01' where id = $1", [contractId]);
  // 24 months, the first free, 5% more in the second year
  for (let k = 1; k < 24; k++) {
    const first = addMonths("2026-01-01", k);
    const last = addDays(addMonths(first, 1), -1);
    const amount = k < 12 ? 300_000 : 315_000;
    const period = { periodStart: first, periodEnd: last };
    const lines = [aLine("rent", amount, { ...period, slices: [{ from: first, to: last, amount }] })];
    await aBill(house, store, partyId, { contractId, dueDate: first, ...period, lines });
  }
  const rent = await bodyOf("rentIncome");
  const of = (month: string) => tried(rent, store.villageId, month);
  const january = await of("2026-01");
  expect(january).toMatchObject({ estimated: true, total: 1 });
  expect(january.rows[0]).toMatchObject({ number: "HT-EVEN", shown: january.shown });
  // 16 of 28 days, as a share of the month that the accrual books
  const february = await of("2026-02");
  expect(february).toMatchObject({ estimated: true, total: 1 });
  await acting(house, (act) => runAccrual(act, { villageIds: [store.villageId], month: "2026-01" }));
  const booked = await of("2026-01");
  expect([january.shown, booked.shown, booked.estimated]).toEqual(["2,907.86", "2,907.86", false]);
  expect(await of("2026-02")).toEqual(february);
  house.setClock("2026-03-01T10:00:00+08:00");
  const whole = await of("2026-02");
  await acting(house, (act) => runAccrual(act, { villageIds: [store.villageId], month: "2026-02" }));
  expect((await of("2026-02")).shown).toBe(whole.shown);
  const fen = (shown: string) => Number(shown.replaceAll(",", "")) * 100;
  expect(Math.abs(fen(february.shown) - (fen(whole.shown) * 16) / 28)).toBeLessThan(2);
  // a month without any income is awaited all the same
  const empty = await aStore(house);
  expect(await tried(rent, empty.villageId, "2026-02")).toMatchObject({
    shown: "0.00",
    estimated: true,
    total: 0,
  });
});

test("what is expected of a month that is over is to the fen what its accrual books, as a whole and bill by bill", async () => {
  house.setClock("2026-05-01T10:00:00+08:00");
  const codes = ["rentIncome", "propertyIncome", "income"] as const;
  const april = (code: string) => bodyOf(code).then((body) => tried(body, m.a.villageId, "2026-04"));
  const expected = await Promise.all(codes.map(april));
  await acting(house, (act) => runAccrual(act, { villageIds: [m.a.villageId], month: "2026-04" }));
  const fen = (shown: string) => Math.round(Number(shown.replaceAll(",", "")) * 100);
  for (const [i, code] of codes.entries()) {
    const booked = await april(code);
    expect(booked, code).toMatchObject({ estimated: false, shown: expected[i]!.shown });
    expect(expected[i]!.estimated, code).toBe(true);
    expect(fen(booked.shown), code).toBeGreaterThan(0);
    if (code === "income") continue;
    const shown = (got: typeof booked) => got.rows.map((row) => fen(row.shown)).toSorted();
    expect(shown(expected[i]!), code).toEqual(shown(booked));
    expect(
      shown(booked).reduce((sum, one) => sum + one, 0),
      code,
    ).toBe(fen(booked.shown));
  }
});
