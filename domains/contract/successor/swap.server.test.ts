import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aScan, signed } from "../contract/contract.sample.ts";
import {
  signOfflineContract,
  submitContract,
  voidContract,
  withdrawContract,
} from "../signing/signing.contract.ts";
import { deleteContract, formData } from "../drafting/draft.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { type SwapAsk, askSwapped, changes } from "./successor.contract.ts";
import { C, WAYS, aSuccession } from "./successor.sample.ts";

const house = await testHouse({ poolSize: 12 });
const at = await aSuccession(house);
const { shop, as, pool, lease, preview, versionOf, handIn, billsOf, held, sound, contractOf, letTo } = at;
const DAY = "2026-05-16";

type Asking = Partial<SwapAsk> & Pick<SwapAsk, "contractId" | "otherId">;
const { arrearsReason: _, ...OWN } = WAYS;
const asking = (more: Asking) =>
  house.ask(askSwapped, { as }, { body: { ...OWN, effectiveOn: DAY, ...more } as never });
async function swap(more: Asking) {
  const asked = await asking(more);
  expect(asked.body).toMatchObject({ code: 200 });
  return asked.body.data as { id: number; contractId: number; actNo: string };
}
/** Two tenants of a year, who have paid a quarter and their deposits. */
async function two(rents: readonly [number, number], more: object = {}) {
  const one = await lease({ start: "2026-03-01", rent: rents[0], ...more });
  const other = await lease({ start: "2026-03-01", rent: rents[1], ...more });
  house.setClock(`${DAY}T10:00:00+08:00`);
  return [one, other] as const;
}
const drawnOf = async (contractId: number) =>
  Number(
    (
      await pool.query(
        "select result_contract_id id from contract_act where contract_id = $1 order by id desc limit 1",
        [contractId],
      )
    ).rows[0].id,
  );
async function confirming(id: number, key = randomUUID()) {
  const { previewHash } = await preview(C, id);
  const { version } = await versionOf(id);
  const scans = async () => [await aScan(house, as)];
  const body = { version, previewHash, fileIds: await scans(), otherFileIds: await scans(), signedOn: DAY };
  return () => house.ask(changes.confirm, { as, key }, { params: { id }, body });
}
const total = async (...ids: number[]) => {
  let sum = 0;
  for (const id of ids) for (const bill of await billsOf(id)) sum += bill.title === "押金" ? 0 : bill.net;
  return sum;
};
/** Days on which a room is let to more than one, and days of its year on which it is let to nobody. */
async function letTwice(roomIds: readonly number[]) {
  const { rows } = await pool.query(
    `select r.id, count(*) filter (where n <> 1)::int wrong from unnest($1::bigint[]) r(id),
       lateral (select d, (select count(*) from occupancy_row o where o.room_id = r.id and o.kind = 'lease' and o.period @> d::date) n
         from generate_series('2026-03-01'::date, '2027-02-28', '1 day') d) days
     group by r.id having count(*) filter (where n <> 1) > 0`,
    [roomIds],
  );
  return rows;
}

describe("two tenants swap their rooms", () => {
  test.each([
    ["actual", 154_839, 185_806, 30_967],
    ["30", 150_000, 180_000, 30_000],
    ["365", 152_055, 182_466, 30_411],
  ] as const)(
    "E10 for both sides on the basis %s: one pays the difference, the other has it back",
    async (basis, cheap, dear, rent) => {
      const [one, other] = await two([300_000, 360_000], { basis });
      const asked = await swap({
        contractId: one.id,
        otherId: other.id,
        monthlyRent: 360_000,
        otherRent: 300_000,
      });
      const shown = await preview(C, asked.id);
      expect(shown).toMatchObject({ credit: cheap, due: rent + 60_000, carried: 300_000, obstacles: [] });
      expect(shown.other).toMatchObject({ credit: dear, due: 0, carried: 300_000, back: 60_000 });
      await handIn(C, asked.id);
      // each room is still the first tenant's: nothing can be held besides
      expect(await letTo(asked.contractId)).toEqual([]);
      expect((await (await confirming(asked.id))()).body).toMatchObject({
        code: 200,
        data: { state: "done" },
      });
      const [a, b] = [asked.contractId, await drawnOf(other.id)];
      expect((await billsOf(a)).slice(0, 3)).toMatchObject([
        { title: "押金", net: 60_000 },
        { from: DAY, to: "2026-05-31", net: dear, settled: cheap },
        { from: "2026-06-01", net: 1_080_000, settled: 0 },
      ]);
      // what the other paid too much is kept for him
      expect((await billsOf(b)).slice(0, 2)).toMatchObject([
        { from: DAY, to: "2026-05-31", net: cheap, settled: cheap },
        { from: "2026-06-01", net: 900_000 },
      ]);
      expect([await held(one.id), await held(other.id), await held(a), await held(b)]).toEqual([
        0, 0, 300_000, 300_000,
      ]);
      expect(await letTo(a)).toMatchObject([{ room_id: other.roomId, kind: "lease", from: DAY }]);
      expect(await letTo(b)).toMatchObject([{ room_id: one.roomId, kind: "lease", from: DAY }]);
      expect(await letTwice([one.roomId, other.roomId])).toEqual([]);
      expect([(await contractOf(one.id)).state, (await contractOf(other.id)).state]).toEqual([
        "changedRoom",
        "changedRoom",
      ]);
      // who swaps rooms moves in as the other moves out: nobody cleans between
      expect(
        (await pool.query("select from turnover where source_id = any($1)", [[one.id, other.id]])).rows,
      ).toEqual([]);
      expect(await sound()).toEqual([]);
    },
  );

  test.each(["actual", "30", "365"] as const)(
    "at equal rents nothing is due, and all four together cost what two would have, on the basis %s",
    async (basis) => {
      const [one, other] = await two([300_000, 300_000], { basis });
      const asked = await swap({
        contractId: one.id,
        otherId: other.id,
        monthlyRent: 300_000,
        otherRent: 300_000,
      });
      const shown = await preview(C, asked.id);
      expect([shown.due, shown.refund, shown.other!.due, shown.other!.refund]).toEqual([0, 0, 0, 0]);
      await handIn(C, asked.id);
      expect((await (await confirming(asked.id))()).status).toBe(200);
      expect(await total(one.id, other.id, asked.contractId, await drawnOf(other.id))).toBe(7_200_000);
      expect(await letTwice([one.roomId, other.roomId])).toEqual([]);
      expect(await sound()).toEqual([]);
    },
  );

  test("of terms of unlike length: what comes after the shorter lease is held, the longer one's room is free after it", async () => {
    const one = await lease({ start: "2026-03-01", rent: 300_000, months: 12 });
    const other = await lease({ start: "2026-03-01", rent: 300_000, months: 6 });
    house.setClock(`${DAY}T10:00:00+08:00`);
    const asked = await swap({
      contractId: one.id,
      otherId: other.id,
      monthlyRent: 300_000,
      otherRent: 300_000,
    });
    await handIn(C, asked.id);
    expect(await letTo(asked.contractId)).toEqual([
      { room_id: other.roomId, kind: "reservation", from: "2026-09-01", to: "2027-02-28" },
    ]);
    expect((await (await confirming(asked.id))()).status).toBe(200);
    expect(await letTo(asked.contractId)).toMatchObject([{ kind: "lease", from: DAY, to: "2027-02-28" }]);
    expect(await letTo(await drawnOf(other.id))).toMatchObject([{ from: DAY, to: "2026-08-31" }]);
    expect(await sound()).toEqual([]);
  });

  test("is one act: neither contract goes on, ends or is given up alone, and given up both leases run as before", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const asked = await swap({
      contractId: one.id,
      otherId: other.id,
      monthlyRent: 300_000,
      otherRent: 300_000,
    });
    const alone = "对调的两份合同须一并办理，请在换房管理中提交、确认或取消";
    const { contract } = await preview(C, asked.id);
    const { contractId: id } = asked;
    const said = async (answer: Promise<{ status: number; body: { message: string } }>) => {
      const { status, body } = await answer;
      return [status, body.message];
    };
    const sent = { as, key: randomUUID() };
    expect(
      await said(
        house.ask(submitContract, sent, { params: { id }, body: { previewHash: contract.previewHash } }),
      ),
    ).toEqual([409, alone]);
    await handIn(C, asked.id);
    expect((await contractOf(await drawnOf(other.id))).state).toBe("signing");
    const paper = { previewHash: contract.previewHash, fileIds: [await aScan(house, as)], signedOn: DAY };
    expect(
      await said(house.ask(signOfflineContract, { as, key: randomUUID() }, { params: { id }, body: paper })),
    ).toEqual([409, alone]);
    const { version } = await contractOf(id);
    expect(
      await said(
        house.ask(
          voidContract,
          { as, key: randomUUID() },
          { params: { id }, body: { reason: "不换了", version } },
        ),
      ),
    ).toEqual([409, alone]);
    // neither tenant leaves meanwhile
    const leaving = {
      ...{ contractId: other.id, effectiveOn: DAY, endReason: "early" as const, reason: "退房" },
      ...{ penaltyReason: "", charges: [] },
    };
    expect(await house.ask(settlementActs.ask, { as }, { body: leaving })).toMatchObject({
      status: 409,
      body: { reason: "actOpen" },
    });
    await house.did(
      changes.cancel,
      { as },
      {
        params: { id: asked.id },
        body: { version: (await versionOf(asked.id)).version, reason: "双方不换了" },
      },
    );
    const { rows } = await pool.query(
      "select state from contract_act where contract_id in ($1, $2) order by id",
      [one.id, other.id],
    );
    expect(rows).toEqual([{ state: "cancelled" }, { state: "cancelled" }]);
    expect([(await contractOf(one.id)).state, (await contractOf(other.id)).state]).toEqual([
      "effective",
      "effective",
    ]);
    expect(await letTwice([one.roomId, other.roomId])).toEqual([]);
  });

  test("the papers of both are asked for, and a draft that fell back alone is handed in again with the other left as it is", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const asked = await swap({
      contractId: one.id,
      otherId: other.id,
      monthlyRent: 300_000,
      otherRent: 300_000,
    });
    await handIn(C, asked.id);
    const { previewHash } = await preview(C, asked.id);
    const { version } = await versionOf(asked.id);
    const missing = await house.ask(
      changes.confirm,
      { as, key: randomUUID() },
      {
        params: { id: asked.id },
        body: { version, previewHash, fileIds: [await aScan(house, as)], signedOn: DAY, otherFileIds: [] },
      },
    );
    expect(missing.body).toMatchObject({ fields: [{ field: "otherFileIds" }] });
    const b = await drawnOf(other.id);
    await house.did(withdrawContract, { as }, { params: { id: b }, body: { reason: "改同住人" } });
    expect((await (await confirming(asked.id))()).status).toBe(409);
    await handIn(C, asked.id);
    expect((await (await confirming(asked.id))()).status).toBe(200);
    expect(await letTwice([one.roomId, other.roomId])).toEqual([]);
    expect(await sound()).toEqual([]);
  });

  test("in its form the lease in the other room stands aside for the draft, and for no other contract", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const { contractId } = await swap({ contractId: one.id, otherId: other.id });
    const term = { start: DAY, end: "2027-02-28" };
    const shownTo = async (draft: { contractId?: number }) => {
      const query = { villageId: shop.villageId, roomIds: String(other.roomId), ...term, ...draft };
      const { rooms } = await house.did(formData, { as }, { query });
      return rooms[0]!.timeline.map((t) => [t.kind, t.aside]);
    };
    expect(await shownTo({ contractId })).toEqual([["lease", true]]);
    expect(await shownTo({})).toEqual([["lease", false]]);
  });

  test("a fresh draft is not removed alone; the same contract twice is refused, and so is one that swaps already", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const asked = await swap({
      contractId: one.id,
      otherId: other.id,
      monthlyRent: 300_000,
      otherRent: 300_000,
    });
    expect((await house.ask(deleteContract, { as }, { params: { id: asked.contractId } })).status).toBe(409);
    expect((await asking({ contractId: one.id, otherId: one.id })).body).toMatchObject({
      fields: [{ field: "otherId" }],
    });
    expect((await asking({ contractId: one.id, otherId: other.id })).body).toMatchObject({
      reason: "actOpen",
    });
  });
});

describe("two at once", () => {
  test("the same swap from both sides: one is drawn up, the other hears that an act is open", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const answers = await Promise.all([
      asking({ contractId: one.id, otherId: other.id, monthlyRent: 300_000, otherRent: 300_000 }),
      asking({ contractId: other.id, otherId: one.id, monthlyRent: 300_000, otherRent: 300_000 }),
    ]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((a) => a.status === 409)!.body.reason).toBe("actOpen");
  });

  test("a swap and a settlement: one is taken up", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const leaving = {
      ...{ contractId: other.id, effectiveOn: DAY, endReason: "early" as const, reason: "退房" },
      ...{ penaltyReason: "", charges: [] },
    };
    const answers = await Promise.all([
      asking({ contractId: one.id, otherId: other.id, monthlyRent: 300_000, otherRent: 300_000 }),
      house.ask(settlementActs.ask, { as }, { body: leaving }),
    ]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(await sound()).toEqual([]);
  });

  test("two swaps that cross in their tenants are both carried out, each once however often it is sent", async () => {
    const [p, q] = [await aRenter(house, shop.villageId), await aRenter(house, shop.villageId)];
    const lived = async (partyId: number) => {
      house.setClock("2026-03-01T09:00:00+08:00");
      const roomId = await at.room();
      const form = aForm({ ...shop, roomId, partyId }, { start: "2026-03-01", rent: 300_000 });
      return { id: (await signed(house, as, form, "2026-03-01")).id, roomId };
    };
    const [a, b, c, d] = [await lived(p), await lived(q), await lived(q), await lived(p)];
    house.setClock(`${DAY}T10:00:00+08:00`);
    const first = await swap({ contractId: a.id, otherId: b.id, monthlyRent: 300_000, otherRent: 300_000 });
    const second = await swap({ contractId: c.id, otherId: d.id, monthlyRent: 300_000, otherRent: 300_000 });
    await handIn(C, first.id);
    await handIn(C, second.id);
    const [send, more] = [await confirming(first.id), await confirming(second.id)];
    const answers = await Promise.all([send(), send(), more()]);
    expect(answers.map((x) => x.status)).toEqual([200, 200, 200]);
    expect(await letTwice([a, b, c, d].map((x) => x.roomId))).toEqual([]);
    expect(await sound()).toEqual([]);
  });

  test("a connection that is killed between the two has done nothing, and what is sent again does both", async () => {
    const [one, other] = await two([300_000, 300_000]);
    const asked = await swap({
      contractId: one.id,
      otherId: other.id,
      monthlyRent: 300_000,
      otherRent: 300_000,
    });
    await handIn(C, asked.id);
    const b = await drawnOf(other.id);
    const state = async () => [
      ...(await Promise.all([one.id, other.id, asked.contractId, b].map(letTo))),
      ...(await Promise.all([one.id, other.id, asked.contractId, b].map(billsOf))),
    ];
    const before = await state();
    const send = await confirming(asked.id);
    // the bills of the second are reached once the first has come into force
    const keeper = await pool.connect();
    await keeper.query("begin");
    await keeper.query("select from bill where contract_id = $1 for update", [other.id]);
    const { rows: mine } = await keeper.query("select pg_backend_pid() pid");
    const sent = send();
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
    expect(await state()).toEqual(before);
    expect((await send()).status).toBe(200);
    expect(await letTwice([one.roomId, other.roomId])).toEqual([]);
    expect(await sound()).toEqual([]);
  });
});
