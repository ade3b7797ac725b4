import { afterAll, beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { roomBoard } from "../board/board.contract.ts";
import { boardSummary } from "../status/overview.contract.ts";
import { rollUp } from "../status/status.service.ts";
import { closeVillage, openVillage, village } from "./village.contract.ts";
import { acting, aBuilding, aFlat, aVillage } from "./village.sample.ts";

const house = await testHouse();
const { db, pool } = house.database;
const permits = ["3.query", "6.get", "6.enable", "6.disable"];
let id: number, as: Awaited<ReturnType<typeof house.person>>;
afterAll(() => house.setClock(undefined));

beforeEach(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  id = await aVillage(house);
  await aFlat(house, await aBuilding(house, id));
  await pool.query("update village set state = 'open' where id = $1", [id]);
  const account = await db
    .insertInto("merchantAccount")
    .values({ enterpriseId: house.enterpriseId, name: `现金账户${id}`, kind: "cash" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("villageAccount")
    .values({ villageId: id, payType: "cash", merchantAccountId: account.id })
    .execute();
  as = await house.person({ permits, villages: [id] });
});

const version = async () => (await house.did(village, { as }, { params: { id } })).version;
const close = async (closedDay: string) =>
  house.ask(
    closeVillage,
    { as },
    { params: { id }, body: { version: await version(), closedDay, reason: "季节调整" } },
  );
const open = async (openDay?: string) =>
  house.ask(
    openVillage,
    { as },
    {
      params: { id },
      body: { version: await version(), reason: "恢复经营", ...(openDay && { openDay }) },
    },
  );
async function condition(day: string) {
  const { fields, rows } = await house.did(roomBoard, { as }, { query: { villageId: id, day } });
  return rows[0]![fields.indexOf("condition")];
}
const offline = async (day: string) =>
  (await house.did(boardSummary, { as }, { query: { day } })).list.find((row) => row.villageId === id)!
    .offline;
const lock = (month: string) =>
  db.insertInto("periodLock").values({ villageId: id, month, side: "income" }).execute();

test("closing from a day past counts the days since anew, and takes none of a closed month", async () => {
  await acting(house, (act) => rollUp(act, "2026-11-15", [id]));
  expect([await offline("2026-11-15"), await condition("2026-11-20")]).toEqual([0, "rentable"]);
  await lock("2026-10");
  expect(await close("2026-10-31")).toMatchObject({
    status: 409,
    body: { message: "2026-10 已关账，请使用开放月份的日期" },
  });
  expect((await close("2026-11-10")).status).toBe(200);
  const told = await pool.query(
    "select summary from business_log where kind = 'village' and record_id = $1 order by id desc limit 1",
    [id],
  );
  expect(told.rows).toEqual([{ summary: "停业，2026-11-10 起：季节调整" }]);
  await house.deliver();
  expect([await offline("2026-11-15"), await condition("2026-11-20")]).toEqual([1, "offline"]);
  expect([await condition("2026-11-09"), await condition("2026-11-10")]).toEqual(["rentable", "offline"]);
});

test("a store that opens again was closed until then, in closed months too", async () => {
  expect((await close("2026-09-10")).status).toBe(200);
  await lock("2026-09");
  expect((await open()).status).toBe(200);
  const days = ["2026-09-09", "2026-09-10", "2026-11-19", "2026-11-20"];
  expect(await Promise.all(days.map(condition))).toEqual(["rentable", "offline", "offline", "rentable"]);
  // closed once more and open again, both times are known
  expect((await close("2026-11-21")).status).toBe(200);
  house.setClock("2026-11-25T10:00:00+08:00");
  expect((await open("2026-11-23")).status).toBe(200);
  const later = ["2026-09-10", "2026-11-20", "2026-11-22", "2026-11-23"];
  expect(await Promise.all(later.map(condition))).toEqual(["offline", "rentable", "offline", "rentable"]);
});

test("the day it opens again is none of a closed month, none to come and none before it closed", async () => {
  await close("2026-10-20");
  await lock("2026-10");
  expect((await open("2026-10-25")).body.message).toBe("2026-10 已关账，请使用开放月份的日期");
  expect((await open("2026-11-21")).body.fields).toEqual([
    { field: "openDay", msg: "重新开业日不能晚于今天" },
  ]);
  expect((await open("2026-10-19")).body.fields).toEqual([
    { field: "openDay", msg: "重新开业日不能早于停业日 2026-10-20" },
  ]);
  expect((await open("2026-11-01")).status).toBe(200);
  expect(await Promise.all(["2026-10-31", "2026-11-01"].map(condition))).toEqual(["offline", "rentable"]);
});

test("one that was to close later was open all the time", async () => {
  await close("2026-12-01");
  expect((await open()).status).toBe(200);
  expect(await Promise.all(["2026-11-20", "2026-12-01"].map(condition))).toEqual(["rentable", "rentable"]);
});
