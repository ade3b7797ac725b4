import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { ACT_STATES, OPEN } from "../act/act.rules.ts";
import { countContracts, listContracts } from "../contract/contract.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { aSettler } from "../settlement/settlement.sample.ts";

const house = await testHouse();
const { as, lease, asked, row } = await aSettler(house);

test("a contract is 退租中 while its settlement is worked on", async () => {
  const [leaves, stays] = [await lease(), await lease()];
  house.setClock("2026-07-21T10:00:00+08:00");
  const { id } = await asked(leaves.id);
  const found = async (query: object) => (await house.did(listContracts, { as }, { query })).list;
  expect((await found({ tab: "leaving" })).map((c) => c.id)).toEqual([leaves.id]);
  expect((await found({ flag: "leaving" })).map((c) => c.id)).toEqual([leaves.id]);
  const all = new Map((await found({})).map((c) => [c.id, c.flags]));
  expect(all.get(leaves.id)).toContain("leaving");
  expect(all.get(stays.id)).not.toContain("leaving");
  expect(await house.did(countContracts, { as }, { query: {} })).toMatchObject({ living: 2, leaving: 1 });

  const { version } = await row(id);
  await house.did(settlementActs.cancel, { as }, { params: { id }, body: { version, reason: "不搬了" } });
  expect(await found({ tab: "leaving" })).toEqual([]);
  expect(await house.did(countContracts, { as }, { query: {} })).toMatchObject({ leaving: 0 });
});

test("the database holds the same acts for open as the rules", async () => {
  const states = Object.keys(ACT_STATES);
  const { rows } = await house.database.pool.query<{ state: string }>(
    "select state from unnest($1::text[]) state where act_is_open(state)",
    [states],
  );
  expect(rows.map((r) => r.state)).toEqual(states.filter((s) => (OPEN as readonly string[]).includes(s)));
});
