import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { listSessions, userInfo } from "./session.contract.ts";

const house = await testHouse({ settings: { SESSION_IDLE_MINUTES: "30" } });
const { pool } = house.database;
const asked = async (as: Person, headers = {}) => (await house.ask(userInfo, { as, headers })).status;
const ago = (as: Person, minutes: number) =>
  pool.query(
    "update login_session set created_at = now() - interval '1 day', last_seen_at = now() - $2 * interval '1 minute' where operator_id = $1",
    [as.operatorId, minutes],
  );

test("a session in which nobody did anything for the set time is over, and nobody sees it as live", async () => {
  const as = await house.person();
  await ago(as, 29);
  expect(await asked(as)).toBe(200);
  await ago(as, 31);
  expect(await asked(as)).toBe(401);
  const head = await house.person({ superType: "1" });
  const { list } = await house.did(listSessions, { as: head }, { query: { operatorId: as.operatorId } });
  expect(list).toEqual([]);
});

test("what the console asks by itself while nobody sits before it keeps no session alive", async () => {
  const as = await house.person();
  await ago(as, 29);
  expect(await asked(as, { "x-unattended": "1" })).toBe(200);
  const seen =
    "select last_seen_at < now() - interval '20 minutes' old from login_session where operator_id = $1";
  expect((await pool.query(seen, [as.operatorId])).rows).toEqual([{ old: true }]);
  await asked(as);
  expect((await pool.query(seen, [as.operatorId])).rows).toEqual([{ old: false }]);
});
