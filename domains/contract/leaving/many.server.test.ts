import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting, someFlats } from "../../listing/village/village.sample.ts";
import { aForm, aRenter } from "../contract/contract.sample.ts";
import { aSettler } from "../settlement/settlement.sample.ts";
import { signMany } from "../signing/many.service.ts";
import { askMany, confirmMany, leavingBatch, previewMany } from "./leaving.contract.ts";
import { workThrough } from "./leaving.service.ts";

/** `LEAVINGS=300 npm test -- domains/contract/leaving/many` measures the largest batch there may be. */
const COUNT = Number(process.env["LEAVINGS"] ?? 24);

const house = await testHouse();
const { shop, as, pool, asked, submitted, sound } = await aSettler(house);

/** Leases of a store, signed in March and moved into. */
async function leases(): Promise<number[]> {
  const flats = await someFlats(
    house,
    shop.building,
    Array.from({ length: COUNT }, (_, i) => ({ name: `L${i}` })),
  );
  const partyId = await aRenter(house, shop.villageId);
  const contracts = flats.map(({ roomIds }) => {
    const form = aForm({ ...shop, partyId, roomId: roomIds[0]! });
    return { ...form, partyId, start: form.start!, end: form.end!, signedOn: "2026-03-12" };
  });
  const { ids } = await acting(house, (act) => signMany(act, contracts), {
    villages: [shop.villageId],
    operatorId: as.operatorId,
  });
  return ids;
}

/** The house until its process dies: before the transaction after so many. */
function dying(transactions: number): House {
  let left = transactions;
  const db = new Proxy(house.database.db, {
    get: (target, key) => {
      if (key === "transaction" && left-- <= 0) throw new Error("killed");
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...house, database: { ...house.database, db } };
}

const took: Record<string, number> = {};
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const answer = await work();
  took[what] = Math.round(performance.now() - from);
  return answer;
}
const batchOf = (id: number) => house.did(leavingBatch, { as }, { params: { id } });

test(
  "a closing store: every lease by itself, refused ones between them, clicked twice, killed half way and gone on with",
  { timeout: 600_000 },
  async () => {
    const ids = await leases();
    house.setClock("2026-08-05T10:00:00+08:00");
    // somebody settles every sixth already
    const busy = ids.filter((_, i) => i % 6 === 1);
    for (const id of busy) await asked(id);
    const body = {
      contractIds: ids,
      effectiveOn: "2026-08-05",
      endReason: "breachLessor" as const,
      noticeOn: "2026-07-05",
      reason: "门店停业",
    };
    const started = await house.did(askMany, { as }, { body });
    const again = await house.did(askMany, { as }, { body });
    const half = Math.floor(COUNT / 2);
    await expect(workThrough(dying(half), started.id)).rejects.toThrow("killed");
    const cut = await batchOf(started.id);
    expect(cut.rows.filter((r) => r.state !== "waiting").length).toBeLessThan(COUNT);
    expect(cut.rows.filter((r) => r.state === "done").length).toBeGreaterThan(0);
    await timed("the rest asked for", () => workThrough(house, started.id));
    const done = await batchOf(started.id);
    expect(done).toMatchObject({ state: "done", percent: 100 });
    expect(done.rows.map((r) => r.state)).toEqual(ids.map((id) => (busy.includes(id) ? "refused" : "done")));
    expect(done.rows.filter((r) => r.state === "refused").every((r) => r.said.includes("进行中"))).toBe(true);
    // a second click finds each of them asked for
    await workThrough(house, again.id);
    expect((await batchOf(again.id)).rows.every((r) => r.state === "refused")).toBe(true);
    const { rows } = await pool.query(
      "select count(*)::int n, count(distinct contract_id)::int contracts from contract_act",
    );
    expect(rows).toEqual([{ n: COUNT, contracts: COUNT }]);

    // all but two are agreed to: those are refused among the others
    const acts = done.rows.flatMap((r) => r.actId ?? []);
    const open = [acts[1]!, acts.at(-2)!];
    for (const id of acts) if (!open.includes(id)) await submitted(id);
    const seen = await timed("preview", () => house.did(previewMany, { as }, { body: { ids: acts } }));
    expect(seen.filter((p) => p.why).map((p) => p.id)).toEqual(open);
    const shown = seen.map(({ id, version, previewHash }) => ({ id, version, previewHash }));
    const key = randomUUID();
    const clicks = await Promise.all(
      [1, 2].map(() => house.ask(confirmMany, { as, key }, { body: { rows: shown } })),
    );
    expect(clicks.map((c) => c.status)).toContain(200);
    const confirming = await house.did(confirmMany, { as, key }, { body: { rows: shown } });
    expect((await pool.query("select from leaving_batch where kind = 'confirm'")).rowCount).toBe(1);
    await expect(workThrough(dying(half), confirming.id)).rejects.toThrow("killed");
    await timed("the rest confirmed", () => workThrough(house, confirming.id));
    const settled = await batchOf(confirming.id);
    expect(settled.rows.map((r) => r.state)).toEqual(
      acts.map((id) => (open.includes(id) ? "refused" : "done")),
    );
    const booked = await pool.query(
      "select count(*)::int n, sum(net)::int net from contract_act where state in ('toPay', 'done')",
    );
    const net = seen.filter((p) => !p.why).reduce((sum, p) => sum + p.net, 0);
    expect(booked.rows).toEqual([{ n: acts.length - open.length, net }]);
    expect(await sound()).toEqual([]);
    if (process.env["LEAVINGS"]) console.log(`${COUNT} leavings, ms`, took);
  },
);
