import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { foldSums } from "../../finance/sums/sums.service.ts";
import { completion, saveTargets } from "../target/target.contract.ts";
import { overviewCards, overviewRanking, overviewSeries } from "./overview.contract.ts";

const house = await testHouse();
const { pool, db } = house.database;
const store = await aStore(house);
const { villageId } = store;
let as: Person;
const march = { from: "2026-03-01", to: "2026-03-31" };

beforeAll(async () => {
  house.setClock("2026-03-10T10:00:00+08:00");
  as = await house.person({ permits: ["139.query", "139.edit"], villages: [villageId] });
  const partyId = await aParty(house);
  await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [
      aLine("rent", 300_000, { slices: [{ from: "2026-03-10", to: "2026-04-09", amount: 300_000 }] }),
      aLine("deposit", 300_000, { slices: [] }),
    ],
  });
  await pool.query(
    `insert into village_day (village_id, day, vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving,
       rentable, dirty, maintenance, offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen)
     values ($1, '2026-03-31', 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 300000, 0)`,
    [villageId],
  );
  await foldSums(db);
  house.setClock("2026-05-10T10:00:00+08:00");
});

const card = async (query: object = {}) =>
  (await house.did(overviewCards, { as }, { query: { ...march, ...query } })).figures.find(
    (f) => f.code === "incomeAccrued",
  )!;

test("3,000.00 of rent from 10 March is 2,129.03 of March and 870.97 of April, up to the day looked back from", async () => {
  expect((await card()).value).toBe(212_903);
  expect((await card({ from: "2026-04-01", to: "2026-04-30" })).value).toBe(87_097);
  expect((await card({ asOf: "2026-03-10" })).value).toBe(9_677);
  expect((await card({ from: "2026-03-11", to: "2026-03-12" })).value).toBe(19_355);
  expect((await card({ from: "2026-03-01", to: "2026-06-30" })).value).toBe(300_000);
  expect((await card({ from: "2026-06-01", to: "2026-06-30" })).value).toBe(0);
});

test("the line, the ranking and what is reached of a target say the same", async () => {
  const { months, lines } = await house.did(
    overviewSeries,
    { as },
    { query: { ...march, to: "2026-04-30" } },
  );
  const line = lines.find((l) => l.code === "incomeAccrued")!.line;
  expect([months.at(-2), line.at(-2), line.at(-1)]).toEqual(["2026-03", 212_903, 87_097]);
  const { list, sums } = await house.did(overviewRanking, { as }, { query: march });
  expect([list[0]!.incomeAccrued, sums!.incomeAccrued]).toEqual([212_903, 212_903]);
  const cells = [{ villageId, month: "2026-03", value: 200_000, version: 0 }];
  await house.did(saveTargets, { as }, { body: { code: "incomeAccrued", cells, note: "补录" } });
  const [row] = await house.did(completion, { as }, { query: { year: 2026, code: "incomeAccrued" } });
  expect(row!.cells[2]).toMatchObject({ actual: 212_903, target: 200_000 });
  expect(row!.cells[3]).toMatchObject({ actual: 87_097, target: null });
  expect((await card()).target).toBe(200_000);
});

test("who does not see the store sees none of it", async () => {
  const stranger = await house.person({
    permits: ["139.query"],
    villages: [(await aStore(house)).villageId],
  });
  const { figures } = await house.did(overviewCards, { as: stranger }, { query: march });
  expect(figures.find((f) => f.code === "incomeAccrued")!.value).toBe(0);
});
