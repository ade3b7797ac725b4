import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { strike } from "../../../platform/server/database/strike.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { settlementActs } from "./settlement.contract.ts";
import { aSettler, everythingOf } from "./settlement.sample.ts";

const house = await testHouse();
const { as, pool, lease, row, preview, agreed, confirm, submitted, sound } = await aSettler(house);
/** Each round strikes a confirmation and an undo. */
const ROUNDS = 15;

const NEVER = 0;
let [confirming, undoing] = [0, 0];
/** The statement of a round: spread over all of them and past the last, at random within its share. */
const spot = (round: number, statements: number) =>
  1 + Math.floor(((round + Math.random()) / ROUNDS) * (statements + 1));

test("a settlement that is killed at any statement of its confirmation or undo is all or nothing", async () => {
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await agreed(contract.id);
  const now = () => everythingOf(pool, contract.id);
  const whole = { before: await now(), after: {} as Awaited<ReturnType<typeof now>> };
  const undo = (version: number, key: string) =>
    house.ask(
      settlementActs.undo,
      { as, key },
      { params: { id }, body: { version, reason: "租客改变主意" } },
    );
  for (let round = -1; round < ROUNDS; round++) {
    const first = round < 0;
    const key = randomUUID();
    const { previewHash } = await preview(id);
    const { version } = await row(id);
    const at = first ? NEVER : spot(round, confirming);
    const struck = strike(house, at);
    const killed = await confirm({ id, version, previewHash }, key);
    const counted = struck();
    if (first) {
      expect(killed.status).toBe(200);
      confirming = counted;
      expect(confirming).toBeGreaterThan(20);
      whole.after = await now();
    } else {
      const lost = at > confirming;
      expect([at, killed.status]).toEqual([at, 503]);
      expect([at, await now()]).toEqual([at, lost ? whole.after : whole.before]);
      expect([at, (await row(id)).state]).toEqual([at, lost ? "toPay" : "confirming"]);
      expect(await sound()).toEqual([]);
      const again = await confirm({ id, version, previewHash }, key);
      expect(again.body).toMatchObject({ code: 200, data: { state: "toPay", version: version + 1 } });
      expect([at, await now()]).toEqual([at, whole.after]);
    }
    expect(await sound()).toEqual([]);

    const back = randomUUID();
    const undone = first ? NEVER : spot(round, undoing);
    const seen = (await row(id)).version;
    const hit = strike(house, undone);
    const cut = await undo(seen, back);
    const all = hit();
    if (first) {
      expect(cut.status).toBe(200);
      undoing = all;
    } else {
      const lost = undone > undoing;
      expect([undone, cut.status]).toEqual([undone, 503]);
      expect([undone, await now()]).toEqual([undone, lost ? whole.before : whole.after]);
      expect(await sound()).toEqual([]);
      expect((await undo(seen, back)).body).toMatchObject({ code: 200, data: { state: "settling" } });
    }
    expect([undone, await now()]).toEqual([undone, whole.before]);
    expect(await sound()).toEqual([]);
    await submitted(id);
  }
  const { rows } = await pool.query(
    "select count(*)::int n from refund where source_id = $1 and state = 'toPay'",
    [contract.id],
  );
  expect(rows[0].n).toBe(0);
}, 240_000);
