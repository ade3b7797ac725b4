import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { credit, debit } from "../../finance/journal/journal.rules.ts";
import { post } from "../../finance/journal/journal.service.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { rollUp } from "../../listing/status/status.service.ts";
import { aBuilding, aFlat, acting } from "../../listing/village/village.sample.ts";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { indicatorBudgets, renewBudget } from "../budget/budget.contract.ts";
import { monthLocks } from "../lock/lock.contract.ts";
import { planning } from "../budget/budget.sample.ts";
import {
  budgetActual,
  exportVillageComplete,
  indicatorComplete,
  villageComplete,
  villageCompleteRows,
  writeNote,
} from "./budget-complete.contract.ts";

const house = await testHouse();
const { m, finance, ids, drafted, cell, whole, save, grid, musts, submit } = await planning(house);
const { pool } = house.database;

test("completion: 95.11 % and 92.88 %, together 93.77 %; the whole is the same for a store from either page", async () => {
  const [a] = await drafted([m.a.villageId], 2026);
  await save(a!, [...musts(800_000, 50_000, 9000), ...whole("propertyIncome", 10_000)]);
  await submit(a!);
  const [b] = await drafted([m.b.villageId], 2026);
  await save(b!, musts(1_200_000, 50_000, 8000));
  await submit(b!);
  const { list } = await house.did(
    indicatorComplete,
    { as: finance },
    {
      query: {
        year: 2026,
        month: 3,
        indicatorIds: `${ids["rentIncome"]},${ids["operatingCost"]}`,
        pageSize: 50,
      },
    },
  );
  const rent = list.filter((row) => row.indicatorName === "租金收入");
  // the worst first, the whole below
  expect(rent.map((row) => [row.villageId, row.budget, row.actual, row.reached])).toEqual([
    [m.b.villageId, 12_000, 11_145.74, 0.9288],
    [m.a.villageId, 8000, 7609.07, 0.9511],
    [null, 20_000, 18_754.81, 0.9377],
  ]);
  expect(rent[2]).toMatchObject({ villageName: "合计（2 个门店）", difference: -1245.19, estimated: false });
  const cost = list.filter((row) => row.indicatorName === "营业成本");
  // smaller is better: what is over its plan stands first
  expect(cost[0]).toMatchObject({ villageId: m.a.villageId, budget: 500, actual: 600, reached: 1.2 });

  const rows = (
    await house.did(
      villageCompleteRows,
      { as: finance },
      { query: { year: 2026, period: "m3", villageIds: String(m.a.villageId), pageSize: 50 } },
    )
  ).list;
  const at = (name: string) => rows.find((row) => row.indicatorName === name)!;
  expect(at("租金收入").reached).toBe(0.9511);
  expect(at("物业费收入").reached).toBe(0.6695);
  expect(at("营业成本").reached).toBe(1.2);
  expect(at("出租率")).toMatchObject({ actual: 67.1, budget: 90 });
  for (const one of rows) {
    const [same] = (
      await house.did(
        indicatorComplete,
        { as: finance },
        {
          query: {
            year: 2026,
            month: 3,
            indicatorIds: String(one.indicatorId),
            villageIds: String(m.a.villageId),
          },
        },
      )
    ).list;
    expect(same, one.indicatorName).toMatchObject({
      actual: one.actual,
      budget: one.budget,
      reached: one.reached,
      yearActual: one.yearActual,
    });
  }
  const behind = await house.did(
    budgetActual,
    { as: finance },
    { query: { indicatorId: ids["rentIncome"]!, villageId: m.a.villageId, month: "2026-03" } },
  );
  expect(behind).toMatchObject({ shown: "7,609.07", total: 4, indicatorName: "租金收入", basis: "权责" });

  // a quarter opens all of its months: January to March of A, nothing before March
  const quarter = (
    await house.did(
      villageCompleteRows,
      { as: finance },
      { query: { year: 2026, period: "q1", villageIds: String(m.a.villageId), pageSize: 50 } },
    )
  ).list;
  for (const code of ["rentIncome", "operatingCost", "newRooms", "profit"]) {
    const { indicatorId, actual, unit } = quarter.find((row) => row.indicatorId === ids[code])!;
    const of = { indicatorId, villageId: m.a.villageId, month: "2026-01", to: "2026-03" };
    const { shown, rows: made } = await house.did(budgetActual, { as: finance }, { query: of });
    const number = (text: string) => Number(text.replaceAll(/[,间 ]/g, ""));
    expect(number(shown), code).toBe(actual);
    if (unit === "yuan" && code !== "profit")
      expect(Math.round(made.reduce((sum, row) => sum + number(row.shown) * 100, 0)), code).toBe(
        Math.round(actual! * 100),
      );
  }
  const across = await house.ask(
    budgetActual,
    { as: finance },
    {
      query: {
        indicatorId: ids["rentIncome"]!,
        villageId: m.a.villageId,
        month: "2026-03",
        to: "2026-01",
      },
    },
  );
  expect(across.body.fields?.[0]?.field).toBe("to");
  // whoever reads completions sees what is locked
  const reader = await house.person({ permits: ["136.query"], villages: [m.a.villageId] });
  const range = { from: "2026-03-01", to: "2026-03-31" };
  const locks = await house.did(monthLocks, { as: reader }, { query: range });
  expect(locks.villages.map((v) => [v.id, v.locked])).toEqual([[m.a.villageId, false]]);

  const stores = (
    await house.did(villageComplete, { as: finance }, { query: { year: 2026, period: "q1", pageSize: 50 } })
  ).list;
  expect(stores[0]!.versionId).not.toBeNull();
  expect(stores.find((s) => s.id === m.a.villageId)!.income).toBe(3 * 810_000);
  // T14: what the journal says of the whole is what the stores' figures come to
  const all = stores.reduce((sum, s) => sum + (s.incomeActual ?? 0), 0);
  const { rows: booked } = await pool.query<{ fen: number }>(
    `select sum(credit - debit)::bigint fen from journal_line
     where account in ('6001', '6052', '6053', '6061') and date between '2026-01-01' and '2026-03-31'`,
  );
  expect(all).toBe(booked[0]!.fen);
});

test("a mean over stores is weighed by their room nights: 90 % of 155 and 80 % of 310 are 83.33 %", async () => {
  await pool.query(
    `insert into village_day select (jsonb_populate_record(d, jsonb_build_object('village_id', $2::bigint, 'base', 10))).*
     from village_day d where village_id = $1 and day between '2026-03-01' and '2026-03-31'`,
    [m.a.villageId, m.b.villageId],
  );
  await pool.query(
    "insert into village_rolled as r values ($1) on conflict (village_id) do update set times = r.times + 1",
    [m.b.villageId],
  );
  const { list } = await house.did(
    indicatorComplete,
    { as: finance },
    { query: { year: 2026, month: 3, indicatorIds: String(ids["occupancy"]) } },
  );
  expect(list.find((row) => row.villageId === null)!.budget).toBe(83.33);
  const detail = await house.did(
    indicatorBudgets,
    { as: finance },
    { params: { indicatorId: ids["occupancy"]! }, query: { year: 2026 } },
  );
  expect(detail.sums).toMatchObject({ m3: 8333 });
  expect(detail.sums!.numerator! / detail.sums!.denominator!).toBeCloseTo(detail.sums!.whole! / 10_000, 4);
  expect(detail.list.map((row) => row.m3)).toEqual([9000, 8000]);
});

test("a store says why it is off its plan; a second hand hears that it was changed", async () => {
  const body = {
    villageId: m.a.villageId,
    indicatorId: ids["operatingCost"]!,
    month: "2026-03",
    text: "外墙清洗提前到三月",
    version: 0,
  };
  await house.did(writeNote, { as: finance }, { body });
  expect((await house.ask(writeNote, { as: finance }, { body })).status).toBe(409);
  await house.did(writeNote, { as: finance }, { body: { ...body, text: "外墙清洗提前", version: 1 } });
  const { list } = await house.did(
    villageCompleteRows,
    { as: finance },
    { query: { year: 2026, period: "m3", villageIds: String(m.a.villageId), pageSize: 50 } },
  );
  expect(list.find((row) => row.indicatorName === "营业成本")).toMatchObject({
    note: "外墙清洗提前",
    noteVersion: 2,
  });
});

test("the file is as the page: the stores, then the indicators of each on a sheet of its own", async () => {
  const { rawPayload } = await house.app.inject({
    method: "GET",
    url: exportVillageComplete.path,
    headers: { authorization: finance.token },
    query: { year: "2026", period: "m3", columns: "villageName,no" },
  });
  const [stores, ...each] = await openBook(rawPayload);
  expect(stores!.values(2)).toEqual(["门店", "生效版本"]);
  expect(each.map((sheet) => sheet.name)).toEqual(stores!.rows.slice(2).map(({ values }) => values[0]));
  const { rows: named } = await pool.query("select name from village where id = $1", [m.a.villageId]);
  const ofA = each.find((sheet) => sheet.name === named[0].name)!;
  const head = ofA.values(2);
  const rent = ofA.rows.find(({ values }) => values[0] === "租金收入")!.values;
  expect(["本期预算", "本期实际", "完成率", "说明"].map((title) => rent[head.indexOf(title)])).toEqual([
    8000,
    7609.07,
    0.9511,
    undefined,
  ]);
});

test("figures follow at once what is booked, rolled up, put in force and declared since somebody looked", async () => {
  const figures = async (code: string) => {
    const query = {
      year: 2026,
      month: 3,
      indicatorIds: String(ids[code]),
      villageIds: String(m.a.villageId),
    };
    return (await house.did(indicatorComplete, { as: finance }, { query })).list[0]!;
  };
  const [occupancy, shared] = [await figures("occupancy"), await figures("thirdPartyIncome")];

  const building = await aBuilding(house, m.a.villageId, "9栋");
  const { roomIds } = await aFlat(house, building, { rooms: ["901", "902"] });
  await aLease(house, { villageId: m.a.villageId, roomId: roomIds.at(-1)!, start: "2026-03-12" });
  // days past are as they were rolled up
  expect(await figures("occupancy")).toEqual(occupancy);
  await acting(house, (act) => rollUp(act, "2026-03-31", [m.a.villageId]));
  expect((await figures("occupancy")).actual).not.toBe(occupancy.actual);

  await acting(house, (act) =>
    post(act, [
      {
        event: "E27",
        sourceType: "thirdPartyIncome",
        sourceId: 2,
        businessDate: "2026-03-31",
        legs: [debit("1131", m.a.villageId, 10_600), credit("6053", m.a.villageId, 10_600)],
      },
    ]),
  );
  expect((await figures("thirdPartyIncome")).actual).toBe(shared.actual! + 106);

  const { list: stores } = await house.did(
    villageComplete,
    { as: finance },
    { query: { year: 2026, period: "m3" } },
  );
  const { id } = await house.did(
    renewBudget,
    { as: finance },
    {
      params: { id: stores.find((one) => one.id === m.a.villageId)!.versionId! },
      body: { name: "2026 年预算调整", reason: "外墙清洗提前" },
    },
  );
  const was = (await grid(id)).cells.find((one) => one.indicatorId === ids["rentIncome"] && one.month === 3)!;
  await save(id, [cell("rentIncome", 3, 900_000, was.version)]);
  expect((await figures("rentIncome")).budget).toBe(8000);
  await submit(id);
  expect((await figures("rentIncome")).budget).toBe(9000);

  await pool.query("update budget_indicator set better = 'down', version = version + 1 where id = $1", [
    ids["thirdPartyIncome"],
  ]);
  expect((await figures("thirdPartyIncome")).better).toBe("down");
});
