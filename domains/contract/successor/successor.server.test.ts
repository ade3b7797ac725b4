import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { openTurnovers } from "../../listing/turnover/turnover.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aRenter } from "../contract/contract.sample.ts";
import { readForm, saveContract } from "../drafting/draft.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import clock from "../signing/clock.job.ts";
import { listRenewals } from "../renewal/renewal.contract.ts";
import { voidContract } from "../signing/signing.contract.ts";
import { type SuccessorCalls, changes, renewals } from "./successor.contract.ts";
import { C, R, WAYS, aSuccession } from "./successor.sample.ts";

const house = await testHouse();
const {
  shop,
  as,
  pool,
  room,
  lease,
  preview,
  versionOf,
  handIn,
  all,
  renew,
  change,
  billsOf,
  held,
  sound,
  contractOf,
  letTo,
} = await aSuccession(house);

describe("a renewal", () => {
  test("of 3,500.00 at 3,675.00: the deposit goes over, 11,200.00 are due on signing, the lease goes on", async () => {
    const old = await lease({ start: "2026-03-15" }, 5);
    house.setClock("2027-02-20T10:00:00+08:00");
    const asked = await renew({
      contractId: old.id,
      end: "2028-03-14",
      rents: [{ roomId: old.roomId, monthlyRent: 367_500 }],
    });
    expect(asked).toMatchObject({ state: "handling" });
    const shown = await preview(R, asked.id);
    expect(shown).toMatchObject({
      held: 350_000,
      deposit: 367_500,
      carried: 350_000,
      due: 1_120_000,
      refund: 0,
      obstacles: [],
    });
    expect(shown.contract.totals).toMatchObject({ rent: 4_410_000, atSigning: 1_120_000 });
    await all(R, asked.id, "2027-02-20");
    expect((await billsOf(asked.contractId)).map((b) => [b.from, b.net])).toEqual([
      ["2027-03-15", 17_500],
      ["2027-03-15", 1_102_500],
      ["2027-06-15", 1_102_500],
      ["2027-09-15", 1_102_500],
      ["2027-12-15", 1_102_500],
    ]);
    expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 350_000]);
    const entry = await pool.query(
      "select event, source_id::int from journal_entry where event = 'E15' and source_type = 'contract'",
    );
    expect(entry.rows).toEqual([{ event: "E15", source_id: asked.contractId }]);
    // the old lease runs to its last day, then the new one takes its place
    expect((await contractOf(old.id)).state).toBe("effective");
    house.setClock("2027-03-15T00:06:00+08:00");
    await perform(
      house,
      clock.find((j) => j.name === "contract.endOfDay")!,
      {},
      randomUUID(),
    );
    expect((await contractOf(old.id)).state).toBe("renewed");
    expect(await letTo(asked.contractId)).toMatchObject([
      { kind: "lease", from: "2027-03-15", to: "2028-03-14" },
    ]);
    expect(await sound()).toEqual([]);
  });

  test("is taken back while nothing was paid: the deposit returns and the lease before runs as it did", async () => {
    const old = await lease({ start: "2026-03-15" });
    house.setClock("2027-02-20T10:00:00+08:00");
    const asked = await renew({ contractId: old.id, end: "2027-09-14" });
    await all(R, asked.id, "2027-02-20");
    const settle = await house.ask(
      settlementActs.ask,
      { as },
      {
        body: {
          contractId: old.id,
          effectiveOn: "2027-02-25",
          endReason: "early",
          reason: "退房",
          penaltyReason: "",
          charges: [],
        },
      },
    );
    expect(settle).toMatchObject({ status: 409 });
    const { version } = await contractOf(asked.contractId);
    await house.did(voidContract, { as, key: randomUUID() } as never, {
      params: { id: asked.contractId },
      body: { version, reason: "租客改变主意" },
    });
    expect([await held(old.id), await held(asked.contractId)]).toEqual([350_000, 0]);
    expect(await contractOf(old.id)).toMatchObject({ state: "effective" });
    // the desk shows nothing of it, and does not add it up
    const desk = await house.did(
      listRenewals,
      { as: await house.person({ superType: "1" }) },
      { query: { tab: "due", keyword: old.contractNo } },
    );
    expect(desk.list).toMatchObject([{ id: old.id, newId: null, newStart: null, newRent: null }]);
    expect(desk.sums).toMatchObject({ newRent: 0 });
    // and it may be renewed again
    expect(await renew({ contractId: old.id, end: "2027-12-14" })).toMatchObject({ state: "handling" });
    expect(await sound()).toEqual([]);
  });

  test("keeps its first day, its room and its tenant, whatever the form says; a lower deposit goes back", async () => {
    const old = await lease({ start: "2026-03-15" });
    house.setClock("2027-02-20T10:00:00+08:00");
    const asked = await renew({
      contractId: old.id,
      end: "2027-09-14",
      rents: [{ roomId: old.roomId, monthlyRent: 300_000 }],
    });
    const { form, version } = await house.did(readForm, { as }, { params: { id: asked.contractId } });
    const save = (more: object) =>
      house.ask(
        saveContract,
        { as },
        { params: { id: asked.contractId }, body: { ...form, ...more, version } as never },
      );
    expect((await save({ start: "2027-04-01" })).body).toMatchObject({ message: "续租合同的起租日不能修改" });
    expect((await save({ rooms: [{ roomId: await room(), monthlyRent: 1 }] })).status).toBe(400);
    // what is taken over is the server's to say
    const takeOver = { ...(form as { takeOver: object }).takeOver, deposit: 0, held: 9_999_999 };
    expect((await save({ takeOver, end: "2027-12-14" })).status).toBe(200);
    expect(await preview(R, asked.id)).toMatchObject({ carried: 300_000, back: 50_000, refund: 50_000 });
    await all(R, asked.id, "2027-02-20");
    const { rows } = await pool.query("select amount::int, source from refund where contract_id = $1", [
      old.id,
    ]);
    expect(rows).toEqual([{ amount: 50_000, source: "deposit" }]);
    expect(await sound()).toEqual([]);
  });

  test("one at a time; given up, the room and the deposit are as before", async () => {
    const old = await lease({ start: "2026-03-15" });
    house.setClock("2027-02-20T10:00:00+08:00");
    const asked = await renew({ contractId: old.id, end: "2027-09-14" });
    const second = await house.ask(
      renewals.ask,
      { as },
      { body: { contractId: old.id, end: "2027-09-14", rents: [], ...WAYS } },
    );
    expect(second).toMatchObject({ status: 409, body: { reason: "actOpen" } });
    await handIn(R, asked.id);
    expect(await letTo(asked.contractId)).toMatchObject([{ kind: "reservation" }]);
    const { version } = await versionOf(asked.id);
    await house.did(
      renewals.cancel,
      { as },
      { params: { id: asked.id }, body: { version, reason: "不续了" } },
    );
    expect(await letTo(asked.contractId)).toEqual([]);
    expect((await versionOf(asked.id)).state).toBe("cancelled");
    expect(await held(old.id)).toBe(350_000);
  });
});

describe("a change of room", () => {
  test.each([
    ["actual", 154_839, 185_806, 30_967],
    ["30", 150_000, 180_000, 30_000],
    ["365", 152_055, 182_466, 30_411],
  ] as const)(
    "in the middle of a month, on basis %s: %i are carried to %i",
    async (basis, carried, first, rent) => {
      const old = await lease({ start: "2026-03-01", rent: 300_000, basis });
      house.setClock("2026-05-14T10:00:00+08:00");
      const asked = await change({
        contractId: old.id,
        kind: "room",
        effectiveOn: "2026-05-16",
        roomId: await room(),
        monthlyRent: 360_000,
      });
      expect(await preview(C, asked.id)).toMatchObject({
        credit: carried,
        due: rent + 60_000,
        carried: 300_000,
        deposit: 360_000,
        obstacles: [],
      });
      await all(C, asked.id, "2026-05-14");
      const [deposit, rest, next] = await billsOf(asked.contractId);
      expect(deposit).toMatchObject({ net: 60_000, outstanding: 60_000 });
      expect(rest).toMatchObject({ from: "2026-05-16", to: "2026-05-31", net: first, settled: carried });
      expect(next).toMatchObject({ from: "2026-06-01", to: "2026-08-31", net: 1_080_000, settled: 0 });
      const kept = (await billsOf(old.id)).find((b) => b.from === "2026-03-01" && b.net !== 300_000);
      expect(kept).toMatchObject({ net: 900_000 - carried, outstanding: 0 });
      expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 300_000]);
      expect(await letTo(old.id)).toMatchObject([{ to: "2026-05-15" }]);
      expect((await contractOf(old.id)).state).toBe("effective");
      const dirty = async () =>
        (await pool.query("select room_id::int from turnover where source_id = $1", [old.id])).rows;
      expect(await dirty()).toEqual([]);
      house.setClock("2026-05-16T00:06:00+08:00");
      await perform(
        house,
        clock.find((j) => j.name === "contract.endOfDay")!,
        {},
        randomUUID(),
      );
      expect((await contractOf(old.id)).state).toBe("changedRoom");
      expect(await dirty()).toEqual([{ room_id: old.roomId }]);
      expect(await sound()).toEqual([]);
    },
  );

  test.each(["actual", "30", "365"] as const)(
    "at the same rent nothing is due, on basis %s",
    async (basis) => {
      const old = await lease({ start: "2026-03-01", rent: 300_000, basis });
      house.setClock("2026-05-16T10:00:00+08:00");
      const roomId = await room();
      const asked = await change({
        contractId: old.id,
        kind: "room",
        effectiveOn: "2026-05-16",
        roomId,
        monthlyRent: 300_000,
      });
      expect(await preview(C, asked.id)).toMatchObject({ due: 0, back: 0 });
      await all(C, asked.id, "2026-05-16");
      const total = async (id: number) =>
        (await billsOf(id)).reduce((sum, b) => sum + (b.title === "押金" ? 0 : b.net), 0);
      expect((await total(old.id)) + (await total(asked.contractId))).toBe(3_600_000);
      expect((await contractOf(old.id)).state).toBe("changedRoom");
      expect(await sound()).toEqual([]);
    },
  );

  test("into a room that is not ready leaves the keys to 办理入住; into one that is, the tenant has moved in", async () => {
    const moved = async (open: boolean) => {
      const old = await lease({ start: "2026-03-01" });
      await pool.query("update contract set handover_on = start_date where id = $1", [old.id]);
      house.setClock("2026-05-16T10:00:00+08:00");
      const roomId = await room();
      if (open) await acting(house, (act) => openTurnovers(act, [roomId], { source: "manual" }));
      const to = { kind: "room", effectiveOn: "2026-05-16", roomId, monthlyRent: 350_000 } as const;
      const asked = await change({ contractId: old.id, ...to });
      await all(C, asked.id, "2026-05-16");
      expect((await contractOf(old.id)).state).toBe("changedRoom");
      return (await contractOf(asked.contractId)).handoverOn;
    };
    expect(await moved(false)).toBe("2026-05-16");
    expect(await moved(true)).toBeNull();
  });

  test("into a room that is let changes nothing; two into one room: one has it", async () => {
    const [one, two] = [await lease({ start: "2026-03-01" }), await lease({ start: "2026-03-01" })];
    house.setClock("2026-05-16T10:00:00+08:00");
    const roomId = await room();
    const to = { kind: "room", effectiveOn: "2026-05-16", roomId, monthlyRent: 300_000 } as const;
    const [a, b] = [await change({ contractId: one.id, ...to }), await change({ contractId: two.id, ...to })];
    const hash = async (id: number) => (await preview(C, id)).previewHash;
    const [ha, hb] = [await hash(a.id), await hash(b.id)];
    const give = (id: number, previewHash: string) =>
      house.ask(
        changes.submit,
        { as, key: randomUUID() },
        { params: { id }, body: { version: 1, previewHash } },
      );
    const both = await Promise.all([give(a.id, ha), give(b.id, hb)]);
    expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
    expect(both.find((r) => r.status === 409)!.body).toMatchObject({ reason: "roomTaken" });
    expect(await sound()).toEqual([]);
  });
});

describe("a change of tenant", () => {
  test.each([
    ["actual", 278_710, 41_290],
    ["30", 288_000, 32_000],
    ["365", 284_055, 35_945],
  ] as const)("on basis %s: %i for the first, %i for the second", async (basis, first, second) => {
    const old = await lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1, basis });
    house.setClock("2026-06-11T10:00:00+08:00");
    const partyId = await aRenter(house, shop.villageId);
    const asked = await change({
      contractId: old.id,
      kind: "tenant",
      effectiveOn: "2026-06-11",
      partyId,
    });
    // the bill of the next period was due already: it goes with the cut and is owed by nobody
    const shown = await preview(C, asked.id);
    expect(shown).toMatchObject({ credit: second, carried: 320_000, arrears: 0, obstacles: [] });
    await all(C, asked.id, "2026-06-11");
    const kept = (await billsOf(old.id)).find((b) => b.from === "2026-05-15" && b.net === first);
    expect(kept).toMatchObject({ net: first });
    const [rest] = (await billsOf(asked.contractId)).filter((b) => b.from === "2026-06-11");
    expect(rest).toMatchObject({ to: "2026-06-14", net: second });
    expect(await held(asked.contractId)).toBe(320_000);
    // no cash: A and B settle the deposit between them
    expect((await billsOf(asked.contractId)).map((b) => b.title)).not.toContain("押金");
    expect(
      (await pool.query("select from refund where contract_id in ($1, $2)", [old.id, asked.contractId])).rows,
    ).toEqual([]);
    expect(await letTo(old.id)).toMatchObject([{ to: "2026-06-10" }]);
    expect(await letTo(asked.contractId)).toMatchObject([
      { kind: "lease", from: "2026-06-11", to: "2027-05-14" },
    ]);
    expect(await contractOf(old.id)).toMatchObject({ state: "terminated" });
    expect(await sound()).toEqual([]);
  });

  test("waits for what the first tenant owes, or a reason; the deposit may go back to him", async () => {
    const old = await lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1 }, 1);
    house.setClock("2026-06-01T10:00:00+08:00");
    const partyId = await aRenter(house, shop.villageId);
    const ask = { contractId: old.id, kind: "tenant", effectiveOn: "2026-06-05", partyId } as const;
    const owing = await house.ask(changes.ask, { as }, { body: { ...WAYS, ...ask } });
    expect(owing).toMatchObject({
      status: 409,
      // 21 of the period's 31 days, as the preview says
      body: { message: "原租客欠费 2,167.74 元，请先结清，或填写欠费留在原合同的原因" },
    });
    const asked = await change({ ...ask, arrearsReason: "已约定月底支付", deposit: "refund" });
    expect(await preview(C, asked.id)).toMatchObject({
      arrears: 216_774,
      carried: 0,
      back: 320_000,
      refund: 320_000,
    });
    await all(C, asked.id, "2026-06-01");
    expect(await held(asked.contractId)).toBe(0);
    const [deposit] = await billsOf(asked.contractId);
    expect(deposit).toMatchObject({ title: "押金", net: 320_000 });
    const { rows } = await pool.query("select amount::int from refund where contract_id = $1", [old.id]);
    expect(rows).toEqual([{ amount: 320_000 }]);
    expect(await sound()).toEqual([]);
  });
});

describe("what cannot be asked for is said at its field and draws nothing", () => {
  const drawn = async () => (await pool.query("select count(*)::int n from contract")).rows[0].n as number;
  const wrong = async (calls: SuccessorCalls, body: object) => {
    const before = await drawn();
    const answer = await house.ask(calls.ask, { as }, { body: { rents: [], ...WAYS, ...body } as never });
    expect([answer.status, await drawn()]).toEqual([400, before]);
    return answer.body.fields;
  };
  const LONG = [{ field: "end", msg: "租赁期限不得超过二十年" }];

  test("more than twenty years, whatever comes after the contract", async () => {
    const old = await lease({ start: "2026-05-15", cycleMonths: 1 });
    const of = { contractId: old.id };
    house.setClock("2026-06-01T10:00:00+08:00");
    const from = { ...of, effectiveOn: "2026-06-05", end: "2046-06-05" };
    const partyId = await aRenter(house, shop.villageId);
    expect(await wrong(C, { ...from, kind: "tenant", partyId })).toEqual(LONG);
    const to = { kind: "room", roomId: await room(300_000) };
    expect(await wrong(C, { ...from, ...to })).toEqual(LONG);
    house.setClock("2027-04-20T10:00:00+08:00");
    expect(await wrong(R, { ...of, end: "2099-12-31" })).toEqual(LONG);
    expect(await wrong(R, { ...of, end: "2047-05-15" })).toEqual(LONG);
    expect(await renew({ ...of, end: "2047-05-14" })).toMatchObject({ state: "handling" });
  });

  test("rents of rooms that are not let by it, and one room twice", async () => {
    const old = await lease({ start: "2026-05-15" });
    house.setClock("2027-04-20T10:00:00+08:00");
    const ask = { contractId: old.id, end: "2028-05-14" };
    const own = { roomId: old.roomId, monthlyRent: 360_000 };
    const rents = [own, { roomId: await room(), monthlyRent: 1 }];
    expect(await wrong(R, { ...ask, rents })).toEqual([{ field: "rents.1.roomId", msg: "房间不在合同内" }]);
    expect(await wrong(R, { ...ask, rents: [own, own] })).toEqual([{ field: "rents", msg: "房间不能重复" }]);
  });

  test("people who do not live there cannot move along", async () => {
    const old = await lease({ start: "2026-05-15" });
    house.setClock("2026-06-01T10:00:00+08:00");
    const to = { kind: "room", effectiveOn: "2026-06-05", roomId: await room(300_000) };
    expect(await wrong(C, { contractId: old.id, ...to, occupantIds: [999_999] })).toEqual([
      { field: "occupantIds", msg: "请选择原合同在住的入住人" },
    ]);
  });
});
