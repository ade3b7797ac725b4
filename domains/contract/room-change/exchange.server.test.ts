import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { amendActs } from "../amendment/amendment.contract.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aForm, aRenter, aRoom, signed } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { addRoomsActs, exchangeRoomsActs, returnRoomsActs } from "./room-change.contract.ts";
import jobs from "./room-change.job.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
let n = 0;
const fresh = () => aRoom(house, shop.building, `X${++n}`);

/** A company's year from 1 March 2026 by the quarter, at 1,800.00 a room, the first quarter and the deposit paid. */
async function company(count: number, more: object = {}) {
  at.on("2026-03-01");
  const ids = await someRooms(
    house,
    shop,
    Array.from({ length: count }, () => `X${++n}`),
  );
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01", cycleMonths: 3, ...more });
  const { id } = await signed(house, as, form, "2026-03-01");
  const due = (await at.bills(id)).filter((b) => b.due <= "2026-03-01");
  await at.pay(
    shop.companyId,
    due.map((b) => b.id),
  );
  return { id, ids };
}
const letTo = async (contractId: number, roomId: number) =>
  (
    await pool.query(
      'select kind, lower(period)::text "from", (upper(period) - 1)::text "to" from occupancy_row where contract_id = $1 and room_id = $2',
      [contractId, roomId],
    )
  ).rows;
const handedIn = async (calls: typeof addRoomsActs, contractId: number, draft: object) => {
  const { id } = await house.did(calls.ask, { as }, { body: { contractId, ...draft } as never });
  const params = { id };
  const { previewHash } = (await house.did(calls.preview, { as }, { params, body: {} })) as {
    previewHash: string;
  };
  const submit = () => house.ask(calls.submit, { as }, { params, body: { version: 1, previewHash } });
  return { id, submit };
};
const actOf = async (id: number) =>
  (await pool.query("select state, version::int, hold_until from contract_act where id = $1", [id])).rows[0];

describe("a company exchanges a room for another", () => {
  // by days of the year a part of a month in which a room leaves and the one in which another joins are no whole month
  test.each([
    ["actual", 0],
    ["30", 0],
    ["365", 2_466],
  ] as const)(
    "at the same rent nothing is due on the basis %s but %i for uneven days, and the deposit goes over",
    async (basis, odd) => {
      const { id, ids } = await company(2, { basis });
      const total = async () => (await at.bills(id)).reduce((sum, b) => sum + b.net, 0);
      const before = await total();
      at.on("2026-04-21");
      const roomId = await fresh();
      const draft = {
        ...{ effectiveOn: "2026-04-21", reason: "换朝向", roomIds: [ids[1]] },
        rooms: [{ roomId, monthlyRent: 180_000 }],
      };
      const shown = (await at.trial(exchangeRoomsActs as never, id, draft)) as Record<string, number>;
      expect(shown).toMatchObject({ net: odd, deposit: 0, refund: 0, obstacles: [] });
      await at.done(exchangeRoomsActs as never, id, draft);
      expect(await total()).toBe(before - odd);
      expect(await letTo(id, ids[1]!)).toMatchObject([{ kind: "lease", to: "2026-04-20" }]);
      expect(await letTo(id, roomId)).toMatchObject([
        { kind: "lease", from: "2026-04-21", to: "2027-02-28" },
      ]);
      expect(await at.contract(id)).toMatchObject({ monthlyRent: 360_000, deposit: 360_000 });
      expect(await at.sound()).toEqual([]);
      // the deposit that went over is that of the room which came
      at.on("2026-05-10");
      const back = { effectiveOn: "2026-05-10", reason: "员工离职", roomIds: [roomId] };
      expect(await at.trial(returnRoomsActs as never, id, back)).toMatchObject({
        deposit: 180_000,
        refund: 180_000,
      });
    },
  );

  test("at a higher rent the difference of rent and deposit is due; taking it back leaves what was before", async () => {
    const { id, ids } = await company(2);
    at.on("2026-04-21");
    const roomId = await fresh();
    const state = async () => ({
      bills: (await at.bills(id)).map((b) => [b.title, b.due, b.net, b.settled]),
      rooms: await at.rooms(id),
      contract: await at.contract(id),
    });
    const before = await state();
    const draft = {
      ...{ effectiveOn: "2026-04-21", reason: "换大房间", roomIds: [ids[1]] },
      rooms: [{ roomId, monthlyRent: 240_000 }],
    };
    // 10 days of April and May: 3,200.00, of which 2,400.00 were paid for the other room
    expect(await at.trial(exchangeRoomsActs as never, id, draft)).toMatchObject({
      ...{ credit: 240_000, dueNow: 380_000, net: -140_000, refund: 0 },
    });
    const actId = await at.done(exchangeRoomsActs as never, id, draft);
    const made = (await at.bills(id)).filter((b) => b.due === "2026-04-21");
    expect(made.map((b) => [b.title, b.net, b.settled])).toEqual([
      ["加房押金", 60_000, 0],
      ["加房第1期租金", 320_000, 240_000],
    ]);
    expect(await at.sound()).toEqual([]);
    expect((await at.undone(exchangeRoomsActs as never, actId)).status).toBe(200);
    expect(await state()).toEqual(before);
    expect(await letTo(id, roomId)).toEqual([]);
    expect(await at.sound()).toEqual([]);
  });

  test("all of its rooms at once, but none that is not its own, and not before they were let", async () => {
    const { id, ids } = await company(1);
    at.on("2026-04-21");
    const said = async (more: object) => {
      const draft = { effectiveOn: "2026-04-21", reason: "整体调换", roomIds: ids, ...more };
      const { body } = await house.ask(
        exchangeRoomsActs.trial,
        { as },
        { body: { contractId: id, rooms: [{ roomId, monthlyRent: 180_000 }], ...draft } as never },
      );
      return body.fields?.[0]?.msg ?? body.data?.obstacles[0]?.msg ?? body.message;
    };
    const roomId = await fresh();
    expect(await said({ roomIds: [shop.roomId] })).toBe("请选择合同内在租的房间");
    expect(await said({ effectiveOn: "2026-03-01" })).toBe("调换日须晚于起租日 2026-03-01");
    expect(await said({ effectiveOn: "2026-04-22" })).toBe("调换日 2026-04-22 未到，到日后才能确认");
    await at.done(exchangeRoomsActs as never, id, {
      ...{ effectiveOn: "2026-04-21", reason: "整体调换", roomIds: ids },
      rooms: [{ roomId, monthlyRent: 180_000 }],
    });
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 180_000, deposit: 180_000 });
    expect(await at.sound()).toEqual([]);
  });
});

describe("a room that is to join", () => {
  const adding = (roomId: number) => ({
    ...{ effectiveOn: "2026-04-10", reason: "增加员工" },
    rooms: [{ roomId, monthlyRent: 180_000 }],
  });

  test("is held from handing in: of two clerks one has it, and it is free once that is given up", async () => {
    const [one, two] = [await company(1), await company(1)];
    at.on("2026-04-10");
    const roomId = await fresh();
    const first = await handedIn(addRoomsActs, one.id, adding(roomId));
    const second = await handedIn(addRoomsActs, two.id, adding(roomId));
    const answers = await Promise.all([first.submit(), second.submit()]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((a) => a.status === 409)!.body.reason).toBe("roomTaken");
    const [won, lost] = answers[0]!.status === 200 ? [first, second] : [second, first];
    const { rows } = await pool.query("select kind from occupancy_row where room_id = $1", [roomId]);
    expect(rows).toEqual([{ kind: "reservation" }]);
    const { version } = await actOf(won.id);
    await house.did(
      addRoomsActs.cancel,
      { as },
      { params: { id: won.id }, body: { version, reason: "不加了" } },
    );
    const again = (await house.did(addRoomsActs.preview, { as }, { params: { id: lost.id }, body: {} })) as {
      previewHash: string;
    };
    const handed = await house.ask(
      addRoomsActs.submit,
      { as },
      { params: { id: lost.id }, body: { version: 1, previewHash: again.previewHash } },
    );
    expect(handed.status).toBe(200);
  });

  test("is free again when the days for signing have passed, and while it is edited", async () => {
    const { id, ids } = await company(1);
    at.on("2026-04-10");
    const roomId = await fresh();
    const draft = adding(roomId);
    const act = await handedIn(addRoomsActs, id, draft);
    expect((await act.submit()).status).toBe(200);
    expect(await letTo(id, roomId)).toEqual([{ kind: "reservation", from: "2026-04-10", to: "2027-02-28" }]);
    const { version } = await actOf(act.id);
    await house.did(
      addRoomsActs.edit,
      { as },
      { params: { id: act.id }, body: { ...draft, version } as never },
    );
    expect(await letTo(id, roomId)).toEqual([]);
    const params = { id: act.id };
    const { previewHash } = (await house.did(addRoomsActs.preview, { as }, { params, body: {} })) as {
      previewHash: string;
    };
    const now = (await actOf(act.id)).version;
    await house.did(addRoomsActs.submit, { as }, { params, body: { version: now, previewHash } });
    at.on("2026-05-30");
    await perform(house, jobs[0]!, {}, randomUUID());
    expect(await actOf(act.id)).toMatchObject({ state: "handling", hold_until: null });
    expect(await letTo(id, roomId)).toEqual([]);
    expect(await letTo(id, ids[0]!)).toMatchObject([{ kind: "lease" }]);
  });

  test("whose act waits for approval is held as well, and free again when that is refused", async () => {
    const admin = await house.person({ superType: "1", name: "许承锦" });
    const manager = await house.person({ villages: [shop.villageId], permits: ["11.query"], name: "陈嘉禾" });
    const made = await aModule(house, admin, {
      moduleType: "amendment",
      name: "变更审批",
      villageIds: [shop.villageId],
      fallback: admin,
      processes: [otherwise(asking("店长", [manager]))],
    });
    expect(made).toBeTruthy();
    const { id } = await company(1);
    at.on("2026-04-10");
    const roomId = await fresh();
    const act = await handedIn(addRoomsActs, id, adding(roomId));
    expect((await act.submit()).body).toMatchObject({ data: { state: "approving" } });
    expect(await letTo(id, roomId)).toMatchObject([{ kind: "reservation" }]);
    const { rows } = await pool.query<{ id: number }>(
      "select id::int from examine where target_kind = 'amendment' and target_id = $1",
      [act.id],
    );
    const params = { id: rows[0]!.id };
    const { version, page, targetId } = await house.did(getExamine, { as: manager }, { params });
    expect([page, targetId]).toEqual(["/contract/CompanyContractPage?of=change", act.id]);
    const body = { decision: "reject", version, comment: "房间另有安排" };
    await house.did(decideExamine, { as: manager }, { params, body: body as never });
    expect(await actOf(act.id)).toMatchObject({ state: "handling", hold_until: null });
    expect(await letTo(id, roomId)).toEqual([]);

    // a change of a tenant's contract is looked at with the tenants'
    const partyId = await aRenter(house, shop.villageId);
    const form = aForm({ ...shop, roomId: await fresh(), partyId }, { start: "2026-04-10" });
    const lease = await signed(house, as, form, "2026-04-10");
    const rises = [{ fromDate: "2026-08-10", rent: 330_000 }];
    const changed = { effectiveOn: "2026-08-10", reason: "协商降租", rises };
    const amended = await handedIn(amendActs as never, lease.id, changed);
    expect((await amended.submit()).body).toMatchObject({ data: { state: "approving" } });
    const waits = await pool.query<{ id: number }>(
      "select id::int from examine where target_kind = 'amendment' and target_id = $1",
      [amended.id],
    );
    const seen = await house.did(getExamine, { as: admin }, { params: { id: waits.rows[0]!.id } });
    expect(seen.page).toBe("/contract/RenterContractPage?of=change");
  });
});
