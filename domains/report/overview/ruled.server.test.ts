import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { setIndicatorRule, setRoleIndicators } from "../indicator/indicator.contract.ts";
import { SHOWN_CODES, type ShownCode } from "../indicator/indicator.rules.ts";
import { completion, saveTargets } from "../target/target.contract.ts";
import { workbenchFigures, workbenchTrend } from "../workbench/workbench.contract.ts";
import {
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewRanking,
  overviewSeries,
  overviewVacancy,
} from "./overview.contract.ts";

const house = await testHouse();
const { pool } = house.database;
house.setClock("2026-04-20T10:00:00+08:00");
const store = await aStore(house);
const other = await aStore(house);
const villages = [store.villageId, other.villageId];
const march = { from: "2026-03-01", to: "2026-03-31" };
const only = { villageIds: String(store.villageId) };
let chief: Person, manager: Person, role: number;
let version = 0;

const choose = async (codes: readonly ShownCode[]) => {
  const body = { roleId: role, codes: [...codes], version };
  ({ version } = await house.did(setRoleIndicators, { as: chief }, { body }));
};
const without = (...codes: ShownCode[]) => SHOWN_CODES.filter((code) => !codes.includes(code));
const rule = (code: "occupancyRate" | "renewalRate" | "billed", more: object) =>
  house.did(
    setIndicatorRule,
    { as: chief },
    {
      body: {
        code,
        better: "more",
        greenFrom: 98,
        amberFrom: 95,
        defaultTarget: null,
        weight: 100,
        version: 0,
        ...more,
      },
    },
  );
const cards = async (query: object = {}, as = manager) =>
  (await house.did(overviewCards, { as }, { query: { ...march, ...query } })).figures;

beforeAll(async () => {
  chief = await house.person({ permits: ["138.edit", "139.query", "139.edit"], villages });
  manager = await house.person({
    permits: ["139.query", "139.export", "114.query", "99.query", "3.query"],
    villages,
    name: "店长",
  });
  const { rows } = await pool.query("select role_id from operator_assignment where operator_id = $1", [
    manager.operatorId,
  ]);
  role = rows[0].role_id;
  for (const [id, letRooms] of [
    [store.villageId, 90],
    [other.villageId, 80],
  ])
    await pool.query(
      `insert into village_day (village_id, day, vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving,
         rentable, dirty, maintenance, offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen)
       values ($1, '2026-03-31', $3::int, 0, 0, $2::int, 0, 0, 0, 100, 0, 0, 0, 0, 100, 100, $2::int, 0, 0, 0, 0)`,
      [id, letRooms, 100 - Number(letRooms)],
    );
  house.setClock("2026-03-05T10:00:00+08:00");
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  await aBill(house, store, partyId, { dueDate: "2026-03-05", lines: [aLine("rent", 300_000)] });
  house.setClock("2026-04-20T10:00:00+08:00");
});

test("店长 without 欠费: the card, its line, its ages, its column and the workbench's figure are gone, and asking answers 403", async () => {
  const before = await cards();
  expect(before.find((f) => f.code === "arrears")!.value).toBe(300_000);
  await choose(without("arrears"));
  expect((await cards()).map((f) => f.code)).not.toContain("arrears");
  const { lines } = await house.did(overviewSeries, { as: manager }, { query: march });
  expect(lines.map((l) => l.code)).not.toContain("arrears");
  const { list, sums } = await house.did(overviewRanking, { as: manager }, { query: march });
  expect(list).toHaveLength(2);
  for (const row of [...list, sums!]) expect(row).not.toHaveProperty("arrears");
  const { figures } = await house.did(workbenchFigures, { as: manager }, { query: {} });
  expect(figures.map((f) => f.key)).toEqual(["occupancyRate", "vacant", "collected"]);

  const codes = "arrears" as never;
  const asked = await Promise.all([
    house.ask(overviewCards, { as: manager }, { query: { ...march, codes } }),
    house.ask(overviewSeries, { as: manager }, { query: { ...march, codes: "billed,arrears" as never } }),
    house.ask(overviewAgeing, { as: manager }, { query: {} }),
    house.ask(overviewRanking, { as: manager }, { query: { ...march, codes } }),
    house.ask(overviewRanking, { as: manager }, { query: { ...march, sort: "arrears" } }),
    house.ask(exportRanking, { as: manager }, { query: { ...march, sort: "arrears" } } as never),
    house.ask(completion, { as: manager }, { query: { year: 2026, code: "arrears" } }),
  ]);
  expect(asked.map((answer) => answer.status)).toEqual(asked.map(() => 403));
  // nobody else has lost it
  expect((await cards({}, chief)).map((f) => f.code)).toContain("arrears");
  expect((await house.ask(overviewAgeing, { as: chief }, { query: {} })).status).toBe(200);
});

test("cards, columns and the workbench keep the role's order", async () => {
  await choose(["collected", "occupancyRate", "billed"]);
  expect((await cards()).map((f) => f.code)).toEqual(["collected", "occupancyRate", "billed"]);
  const { figures } = await house.did(workbenchFigures, { as: manager }, { query: {} });
  expect(figures.map((f) => f.key)).toEqual(["collected", "occupancyRate"]);
  expect((await house.ask(overviewVacancy, { as: manager }, { query: {} })).status).toBe(403);
  await choose(["collected"]);
  const { days } = await house.did(workbenchTrend, { as: manager }, { query: {} });
  expect(days.every((d) => d.rate === null)).toBe(true);
  const { list } = await house.did(overviewRanking, { as: manager }, { query: march });
  expect(Object.keys(list[0]!).toSorted()).toEqual(["collected", "district", "id", "name", "rooms"]);
  await choose(SHOWN_CODES);
});

test("an empty cell counts as the default target; a target of its own comes before it", async () => {
  const target = async (query: object = only) =>
    (await cards(query)).find((f) => f.code === "occupancyRate")!.target;
  expect(await target()).toBeNull();
  await rule("occupancyRate", { defaultTarget: 0.95 });
  expect(await target()).toBe(0.95);
  await house.did(
    saveTargets,
    { as: chief },
    {
      body: {
        code: "occupancyRate",
        cells: [{ villageId: store.villageId, month: "2026-03", value: 0.9, version: 0 }],
        note: "补录",
      },
    },
  );
  expect(await target()).toBe(0.9);
  // as many rooms in both: half-way between the own one and the default one
  expect(await target({})).toBeCloseTo(0.925);
  const done = await house.did(completion, { as: manager }, { query: { year: 2026, code: "occupancyRate" } });
  const marchOf = (id: number) => done.find((v) => v.villageId === id)!.cells[2]!;
  expect(marchOf(store.villageId)).toMatchObject({ target: 0.9, given: false, share: 1 });
  expect(marchOf(other.villageId)).toMatchObject({ target: 0.95, given: true });
  expect(marchOf(other.villageId).share).toBeCloseTo(0.8 / 0.95);
});

test("what should be little is reached as long as it stays below", async () => {
  await rule("renewalRate", { weight: 0 });
  await rule("billed", { better: "less", defaultTarget: 250_000, weight: 0 });
  const [cell] = (
    await house.did(completion, { as: manager }, { query: { year: 2026, code: "billed", ...only } })
  ).map((v) => v.cells[2]!);
  expect(cell).toMatchObject({ actual: 300_000, target: 250_000 });
  expect(cell!.share).toBeCloseTo(250 / 300);
});

test("目标完成 weighs the figures by the rules", async () => {
  const reachedOf = async () =>
    (await house.did(overviewRanking, { as: manager }, { query: { ...march, ...only } })).list[0]!.reached;
  expect(await reachedOf()).toBe(1);
  await rule("billed", { better: "more", defaultTarget: 600_000, weight: 100, version: 1 });
  expect(await reachedOf()).toBeCloseTo(0.75);
  await choose(without("billed"));
  // a figure that is not for the reader is in no whole either
  expect(await reachedOf()).toBe(1);
});
