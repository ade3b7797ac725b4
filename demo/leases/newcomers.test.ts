import { expect, test } from "vitest";
import { testHouse } from "../../platform/server/process/house.sample.ts";
import { generate } from "../generate.ts";
import { POSTS } from "../people.ts";
import { STANDARD } from "../standard.ts";
import { makeLessors } from "./lessors.ts";
import { makeNewcomers } from "./newcomers.ts";
import { makeSignings } from "./signings.ts";

const today = "2026-11-30";
const now = new Date(`${today}T10:00:00+08:00`);
const options = { ...STANDARD, rooms: 120, today, now };
const house = await testHouse({ fill: (h) => generate(h.database, h.cipher, options) });
house.setClock(now.toISOString());
const { pool } = house.database;

test("a company of 120 rooms has contracts of every state, and signings that wait for the party, for the seal and that were refused", async () => {
  const manager = POSTS.findIndex((p) => p.post === "店长") + 1;
  await makeLessors(house, today);
  await makeNewcomers(house, manager, today);
  await makeSignings(house, manager);
  const { rows } = await pool.query<{ state: string }>("select distinct state from contract");
  const states = ["approving", "changedRoom", "draft", "effective", "ended", "expired", "renewed", "signing"];
  expect(rows.map((row) => row.state).toSorted()).toEqual([...states, "terminated", "voided"]);
  const { rows: flows } = await pool.query<{ flow: string; party: string }>(
    `select w.state flow, s.state party from sign_flow w
     join sign_signer s on s.flow_id = w.id and s.role = 'party' order by w.id`,
  );
  expect(flows).toEqual([
    { flow: "signing", party: "sent" },
    { flow: "refused", party: "refused" },
    { flow: "signing", party: "signed" },
  ]);
});
