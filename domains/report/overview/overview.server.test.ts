import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { reverseFlow } from "../../finance/flow/flow.contract.ts";
import { owingReport } from "../owing/owing.contract.ts";
import { completion, saveTargets } from "../target/target.contract.ts";
import {
  overviewAgeing,
  overviewCards,
  overviewExpiry,
  overviewRanking,
  overviewSeries,
} from "./overview.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const store = await aStore(house);
const other = await aStore(house);
const accounts = await someAccounts(house, store);
const partyId = await aParty(house, "张三", { villageId: store.villageId });
const villages = [store.villageId, other.villageId];
const as = await house.person({
  permits: ["139.query", "139.edit", "114.query", "102.get", "#10202"],
  villages,
});
const march = { from: "2026-03-01", to: "2026-03-31" };
const only = { villageIds: String(store.villageId) };
const cards = async (query: object = {}) => {
  const { figures } = await house.did(overviewCards, { as }, { query: { ...march, ...only, ...query } });
  return Object.fromEntries(figures.map((f) => [f.code, f]));
};

// 100 rooms, two of them under fit-out all March: 98 × 31 = 3,038 days, 2,886 of them let
for (let day = 1; day <= 31; day++)
  await pool.query(
    `insert into village_day (village_id, day, vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving,
       rentable, dirty, maintenance, offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen)
     values ($1, $2, 7, 0, 0, 93, 0, 0, 0, 98, 0, 2, 0, 0, 100, 98, $3, 0, 0, $4, 0)`,
    [store.villageId, `2026-03-${String(day).padStart(2, "0")}`, day <= 3 ? 94 : 93, 93 * 300_000],
  );
house.setClock("2026-03-05T10:00:00+08:00");
const billId = await aBill(house, store, partyId, {
  dueDate: "2026-03-05",
  lateFeeRate: "0",
  lines: [
    aLine("rent", 29_400_000, { slices: [{ from: "2026-03-01", to: "2026-03-31", amount: 29_400_000 }] }),
  ],
});
house.setClock("2026-03-20T10:00:00+08:00");
await take(house, store, accounts, partyId, {
  amount: 27_930_000,
  channel: "wechat",
  paidAt: "2026-03-20T09:00:00+08:00",
  bills: [billId],
});
house.setClock("2026-04-20T10:00:00+08:00");

test("March: 95.00 % let, 294,000.00 due, 95.00 % of it collected", async () => {
  const seen = await cards();
  expect((seen["occupancyRate"]!.value! * 100).toFixed(2)).toBe("95.00");
  expect(seen["avgRent"]!.value).toBe(300_000);
  expect(seen["billed"]!.value).toBe(29_400_000);
  expect((seen["collectionRate"]!.value! * 100).toFixed(2)).toBe("95.00");
  expect(seen["collected"]!.value).toBe(27_930_000);
  expect(seen["renewalRate"]!.value).toBeNull();
  const { months, lines } = await house.did(overviewSeries, { as }, { query: { ...march, ...only } });
  expect(months).toHaveLength(13);
  const line = lines.find((l) => l.code === "occupancyRate")!.line;
  expect(((line.at(-1) ?? 0) * 100).toFixed(2)).toBe("95.00");
});

test("a target of 96 % is reached by 98.95 %, on the card and in the ranking", async () => {
  await house.did(
    saveTargets,
    { as },
    {
      body: {
        code: "occupancyRate",
        cells: [{ villageId: store.villageId, month: "2026-03", value: 0.96, version: 0 }],
        note: "年度目标补录",
      },
    },
  );
  expect((await cards())["occupancyRate"]!.target).toBe(0.96);
  const { list } = await house.did(overviewRanking, { as }, { query: { ...march, ...only } });
  expect((list[0]!.reached! * 100).toFixed(2)).toBe("98.95");
  // a store without a target leaves the whole without one
  expect((await cards({ villageIds: villages.join(",") }))["occupancyRate"]!.target).toBe(0.96);
});

test("the ageing adds up to the arrears card and to the arrears report", async () => {
  const ageing = await house.did(overviewAgeing, { as }, { query: { ...only } });
  const report = await house.did(owingReport, { as }, { query: { villageIds: only.villageIds } as never });
  expect(ageing.owed).toBe(1_470_000);
  expect(ageing.ages.reduce((sum, age) => sum + age.fen, 0)).toBe(ageing.owed);
  expect(report.sums).toMatchObject({ owed: ageing.owed });
  expect(ageing.ages.find((age) => age.fen)!.key).toBe("d60");
  expect((await cards({ from: "2026-04-01", to: "2026-04-30" }))["arrears"]!.value).toBe(ageing.owed);
});

test("the whole of the ranking is made of sums and equals the cards", async () => {
  const { list, sums, total } = await house.did(overviewRanking, { as }, { query: march });
  const seen = await cards({ villageIds: villages.join(",") });
  expect(total).toBe(list.length);
  expect(sums).toMatchObject({
    billed: seen["billed"]!.value,
    collected: seen["collected"]!.value,
    arrears: seen["arrears"]!.value,
    occupancyRate: seen["occupancyRate"]!.value,
    collectionRate: seen["collectionRate"]!.value,
  });
});

test("a store whose rooms nobody counted then has its money in a row of its own: rows make the whole", async () => {
  const lone = await aStore(house);
  const seer = await house.person({ permits: ["139.query"], villages: [...villages, lone.villageId] });
  const debtor = await aParty(house, "李四", { villageId: lone.villageId });
  house.setClock("2026-04-10T10:00:00+08:00");
  await aBill(house, lone, debtor, {
    dueDate: "2026-04-10",
    lines: [aLine("rent", 120_000, { slices: [] })],
  });
  house.setClock("2026-04-20T10:00:00+08:00");
  const { list, sums } = await house.did(
    overviewRanking,
    { as: seer },
    { query: { from: "2026-04-01", to: "2026-04-30", asOf: "2026-04-15" } },
  );
  expect(list.find((row) => row.id === lone.villageId)).toMatchObject({ rooms: 0, billed: 120_000 });
  expect(list.reduce((sum, row) => sum + (row.billed ?? 0), 0)).toBe(sums!.billed);
});

test("a flow taken back today changes what came in today by exactly that, and March stays as it was", async () => {
  const april = { from: "2026-04-01", to: "2026-04-30" };
  const small = await take(house, store, accounts, partyId, {
    amount: 300_000,
    channel: "cash",
    paidAt: "2026-04-18T10:00:00+08:00",
    bills: [billId],
  });
  const before = await cards(april);
  const inMarch = await cards({ asOf: "2026-03-31" });
  const { rows } = await pool.query("select version from flow where id = $1", [small.id!]);
  await house.did(
    reverseFlow,
    { as },
    { params: { id: small.id! }, body: { reason: "收错款", version: rows[0].version } },
  );
  const after = await cards(april);
  expect(before["collected"]!.value! - after["collected"]!.value!).toBe(300_000);
  expect(await cards({ asOf: "2026-03-31" })).toEqual(inMarch);
  expect(inMarch["collectionRate"]!.value).toBe(27_930_000 / 29_400_000);
});

test("a month that is over is judged by its own last day: the heat map is the dashboard as of that day", async () => {
  await take(house, store, accounts, partyId, {
    amount: 100_000,
    channel: "cash",
    paidAt: "2026-04-19T10:00:00+08:00",
    bills: [billId],
  });
  const asked = { year: 2026, code: "collectionRate" as const, ...only };
  const [row] = await house.did(completion, { as }, { query: asked });
  const actual = row!.cells.find((cell) => cell.month === "2026-03")!.actual;
  expect(actual).toBe(27_930_000 / 29_400_000);
  expect((await cards({ asOf: "2026-03-31" }))["collectionRate"]!.value).toBe(actual);
  // as of today the card and its line have what came in since
  const now = (await cards())["collectionRate"]!.value;
  expect(now).toBe(28_030_000 / 29_400_000);
  const { lines } = await house.did(overviewSeries, { as }, { query: { ...march, ...only } });
  expect(lines.find((l) => l.code === "collectionRate")!.line.at(-1)).toBe(now);
});

test("what ends is renewed or open, in the twelve months to come", async () => {
  const data = await house.did(overviewExpiry, { as }, { query: { ...only } });
  expect(data).toHaveLength(12);
  expect([data[0]!.month, data.at(-1)!.month]).toEqual(["2026-05", "2027-04"]);
});

test("arrears stand at the end of the period, from the day after the due day on; of a period to come they are today's", async () => {
  const tenant = await aParty(house, "李四", { villageId: other.villageId });
  house.setClock("2026-04-10T10:00:00+08:00");
  await aBill(house, other, tenant, { dueDate: "2026-04-10", lines: [aLine("rent", 100_000)] });
  house.setClock("2026-04-20T10:00:00+08:00");
  const arrears = async (query: object) =>
    (await cards({ villageIds: String(other.villageId), ...query }))["arrears"]!.value;
  const april = { from: "2026-04-01", to: "2026-04-30" };
  expect(await arrears({ from: "2026-03-01", to: "2026-04-10" })).toBe(0);
  expect(await arrears({ from: "2026-03-01", to: "2026-04-11" })).toBe(100_000);
  expect(await arrears({ ...april, asOf: "2026-04-10" })).toBe(0);
  expect(await arrears({ ...april, asOf: "2026-04-11" })).toBe(100_000);
  expect(await arrears({ from: "2026-05-01", to: "2026-05-31" })).toBe(100_000);
});

test("an empty store has dashes, a store out of sight does not exist, and three years are the most", async () => {
  const seen = await cards({ villageIds: String(other.villageId) });
  expect(seen["occupancyRate"]!.value).toBeNull();
  expect(seen["collectionRate"]!.value).toBeNull();
  const clerk = await house.person({ permits: ["139.query"], villages: [other.villageId] });
  const hidden = await house.ask(overviewCards, { as: clerk }, { query: { ...march, ...only } });
  expect(hidden.status).toBe(404);
  const long = await house.ask(overviewCards, { as }, { query: { from: "2023-01-01", to: "2026-01-01" } });
  expect(long.body).toMatchObject({
    code: 400,
    fields: [{ field: "to", msg: "请选择不超过 36 个月的期间" }],
  });
});

test("targets of several stores: amounts and arrears add up, rents and rates are the mean by rooms", async () => {
  await pool.query(
    `insert into village_day select (jsonb_populate_record(d, jsonb_build_object('village_id', $2::bigint, 'in_stock', 300))).*
     from village_day d where village_id = $1 and day = '2026-03-31'`,
    [store.villageId, other.villageId],
  );
  const given = {
    billed: [100, 300],
    arrears: [500, 900],
    avgRent: [200_000, 400_001],
    occupancyRate: [0.8, 1],
  };
  for (const [code, values] of Object.entries(given))
    await pool.query(
      `insert into indicator_target (code, village_id, month, value, source)
       select $1, v, '2026-03-01', t, 'manual' from unnest($2::bigint[], $3::numeric[]) x(v, t)
       on conflict (village_id, code, month) do update set value = excluded.value`,
      [code, villages, values],
    );
  const seen = await cards({ villageIds: villages.join(",") });
  expect(Object.keys(given).map((code) => seen[code]!.target)).toEqual([400, 1400, 350_001, 0.95]);
});
