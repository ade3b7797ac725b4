import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aScan } from "../contract/contract.sample.ts";
import { C, WAYS, aSuccession } from "../successor/successor.sample.ts";
import { changes, renewals } from "../successor/successor.contract.ts";
import { take } from "../../finance/flow/flow.sample.ts";

const house = await testHouse({ poolSize: 12 });
const {
  shop,
  as,
  pool,
  accounts,
  room,
  lease,
  preview,
  handIn,
  change,
  versionOf,
  billsOf,
  held,
  letTo,
  ...more
} = await aSuccession(house);
const { sound, contractOf } = more;

const DAY = "2026-05-16";
/** A tenant who has paid three months and is about to move on the day. */
async function moving(monthlyRent = 360_000) {
  const old = await lease({ start: "2026-03-01", rent: 300_000 });
  house.setClock(`${DAY}T10:00:00+08:00`);
  const roomId = await room();
  const asked = await change({ contractId: old.id, kind: "room", effectiveOn: DAY, roomId, monthlyRent });
  await handIn(C, asked.id);
  return { old, asked, roomId };
}
async function confirming(id: number) {
  const [{ previewHash }, { version }] = [await preview(C, id), await versionOf(id)];
  const body = { version, previewHash, fileIds: [await aScan(house, as)], signedOn: DAY };
  return (key: string) => house.ask(changes.confirm, { as, key }, { params: { id }, body });
}
/** All that a confirmation writes. */
const state = async (oldId: number, nextId: number) => ({
  bills: [await billsOf(oldId), await billsOf(nextId)],
  held: [await held(oldId), await held(nextId)],
  let: [await letTo(oldId), await letTo(nextId)],
  states: [(await contractOf(oldId)).state, (await contractOf(nextId)).state],
  refunds: (await pool.query("select id from refund where contract_id in ($1, $2)", [oldId, nextId])).rows,
});

describe("two at once on one lease", () => {
  test("a renewal and a change of room: one is drawn up, the other hears that an act is open", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000, months: 4 });
    house.setClock(`${DAY}T10:00:00+08:00`);
    const roomId = await room();
    const answers = await Promise.all([
      house.ask(
        renewals.ask,
        { as },
        { body: { contractId: old.id, end: "2026-12-31", rents: [], ...WAYS } },
      ),
      house.ask(
        changes.ask,
        { as },
        {
          body: { contractId: old.id, kind: "room", effectiveOn: DAY, roomId, monthlyRent: 300_000, ...WAYS },
        },
      ),
    ]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((a) => a.status === 409)!.body.reason).toBe("actOpen");
    const { rows } = await pool.query("select state from contract where previous_id = $1", [old.id]);
    expect(rows).toEqual([{ state: "draft" }]);
  });

  test("two tenants who would exchange rooms: neither deadlocks, both hear who has the room", async () => {
    const [one, two] = [
      await lease({ start: "2026-03-01", rent: 300_000 }),
      await lease({ start: "2026-03-01", rent: 300_000 }),
    ];
    house.setClock(`${DAY}T10:00:00+08:00`);
    const to = { kind: "room", effectiveOn: DAY, monthlyRent: 300_000 } as const;
    const asked = [
      await change({ ...to, contractId: one.id, roomId: two.roomId }),
      await change({ ...to, contractId: two.id, roomId: one.roomId }),
    ];
    const sent = await Promise.all(
      asked.map(async ({ id }) => {
        const { previewHash } = await preview(C, id);
        return house.ask(
          changes.submit,
          { as, key: randomUUID() },
          { params: { id }, body: { version: 1, previewHash } },
        );
      }),
    );
    expect(sent.map((a) => [a.status, a.body.reason])).toEqual(Array(2).fill([409, "roomTaken"]));
    expect(await sound()).toEqual([]);
  });
});

describe("a confirmation", () => {
  test("sent twice with one key is answered twice and done once; with another key it is refused", async () => {
    const { old, asked } = await moving();
    const confirm = await confirming(asked.id);
    const key = randomUUID();
    const [first, second] = await Promise.all([confirm(key), confirm(key)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data).toEqual(first.body.data);
    const after = await state(old.id, asked.contractId);
    expect((await confirm(randomUUID())).status).toBe(409);
    expect(await state(old.id, asked.contractId)).toEqual(after);
    expect(await sound()).toEqual([]);
  });

  test("with two keys at once is done once", async () => {
    const { asked } = await moving();
    const confirm = await confirming(asked.id);
    const both = await Promise.all([confirm(randomUUID()), confirm(randomUUID())]);
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(await sound()).toEqual([]);
  });

  test("after a payment shows the new figures, and those can be confirmed", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 }, 1);
    house.setClock(`${DAY}T10:00:00+08:00`);
    const to = { kind: "room", effectiveOn: DAY, roomId: await room(), monthlyRent: 360_000 } as const;
    const asked = await change({ contractId: old.id, ...to });
    await handIn(C, asked.id);
    const confirm = await confirming(asked.id);
    const { rows } = await pool.query<{ id: string; outstanding: string }>(
      "select id, outstanding from bill where contract_id = $1 and outstanding > 0 order by due_date limit 1",
      [old.id],
    );
    await take(house, shop as never, accounts, old.partyId, {
      amount: Number(rows[0]!.outstanding),
      paidAt: `${DAY}T09:30:00+08:00`,
      bills: [Number(rows[0]!.id)],
      channel: "cash",
    });
    const late = await confirm(randomUUID());
    expect(late).toMatchObject({
      status: 409,
      body: { reason: "previewChanged", data: { credit: 154_839 } },
    });
    expect((await (await confirming(asked.id))(randomUUID())).status).toBe(200);
    expect(await sound()).toEqual([]);
  });

  test("whose connection is killed in its midst has done nothing, and can be sent again with its key", async () => {
    const { old, asked, roomId } = await moving();
    const before = await state(old.id, asked.contractId);
    const confirm = await confirming(asked.id);
    const key = randomUUID();
    // it comes to the deposit last but one, when bills and lease of the new contract are written
    const keeper = await pool.connect();
    await keeper.query("begin");
    await keeper.query("select from deposit_balance where contract_id = $1 for update", [old.id]);
    const { rows: mine } = await keeper.query("select pg_backend_pid() pid");
    const sent = confirm(key);
    const blocked = async () =>
      (
        await pool.query<{ pid: number }>(
          "select pid from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))",
          [mine[0].pid],
        )
      ).rows;
    await expect.poll(async () => (await blocked()).length, { timeout: 20_000 }).toBe(1);
    await pool.query("select pg_terminate_backend($1)", [(await blocked())[0]!.pid]);
    expect((await sent).status).toBeGreaterThanOrEqual(500);
    await keeper.query("rollback");
    keeper.release();
    expect(await state(old.id, asked.contractId)).toEqual(before);
    expect((await versionOf(asked.id)).state).toBe("signing");
    expect(await sound()).toEqual([]);

    expect((await confirm(key)).status).toBe(200);
    expect(await letTo(asked.contractId)).toMatchObject([{ room_id: roomId, kind: "lease", from: DAY }]);
    expect(await sound()).toEqual([]);
  });
});
