import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { convertReservation, forfeitReservation } from "../../customer/reservation-acts/acts.contract.ts";
import {
  aDesk,
  aHeldReservation,
  aReservation,
  bookOf,
  lapsing,
  ledgerBreaks,
  paying,
  reservationOf,
} from "../../customer/reservation/reservation.sample.ts";
import { getLead } from "../../customer/lead/lead.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { listReservations } from "../../customer/reservation/reservation.contract.ts";
import { adjustBill, previewAdjust } from "../../finance/bill-acts/acts.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aScan, LEASING, submitted } from "../contract/contract.sample.ts";
import { createContract, formData } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { letGoOverdue } from "./clock.service.ts";
import { signOfflineContract, submitContract, withdrawContract } from "./signing.contract.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-11-20T09:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const desk = await aDesk(house, { permits: [...LEASING, "#1503", "26.get", "26.edit", "#2601"] });
const as = desk.clerk;
const { pool } = house.database;

const convert = async (id: number) =>
  house.did(
    convertReservation,
    { as },
    { params: { id }, body: { version: (await reservationOf(house, desk, id)).version } },
  );
/** The form as it opens: nothing is typed twice. */
const formFrom = async (id: number) => {
  const start = await convert(id);
  const { payPlan } = start;
  return aForm(
    { villageId: start.villageId, roomId: start.roomId, partyId: start.partyId },
    {
      start: start.start,
      end: start.end,
      rent: start.rent,
      cycleMonths: Number(payPlan!.split("-")[1]) as 1,
      deposit: { mode: "months", months: payPlan!.split("-")[0]! },
    },
  );
};
const sign = async (held: { id: number; preview: { previewHash: string } }) =>
  house.did(
    signOfflineContract,
    { as, key: randomUUID() },
    {
      params: { id: held.id },
      body: {
        fileIds: [await aScan(house, as)],
        signedOn: "2026-11-20",
        previewHash: held.preview.previewHash,
      },
    },
  );
const rowsOf = async (roomId: number) =>
  (
    await pool.query("select kind, contract_id, reservation_id from occupancy_row where room_id = $1", [
      roomId,
    ])
  ).rows;

test("first bills 6,000.00 show 1,000.00 received and 5,000.00 owed; the liability is 0", async () => {
  const leadId = await aLead(house, as, desk.villageId, { name: "苏瑾" });
  const { id, number } = await aHeldReservation(house, desk, { leadId });
  expect(await bookOf(house, "2241")).toBe(100_000);
  const held = await submitted(house, as, await formFrom(id));
  expect(held.preview.warnings).toEqual([
    `预订 ${number} 的定金 1,000.00 元在签署后抵作首期款，签约应收余 5,000.00 元`,
  ]);
  expect(await rowsOf(desk.roomId)).toEqual([
    { kind: "reservation", contract_id: held.id, reservation_id: null },
  ]);
  expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", signing: true });
  expect(
    (
      await house.ask(
        forfeitReservation,
        { as, key: randomUUID() },
        {
          params: { id },
          body: { version: (await reservationOf(house, desk, id)).version, reason: "未签约" },
        },
      )
    ).body.message,
  ).toBe("合同签署中，请先撤回合同");
  await sign(held);
  expect(await rowsOf(desk.roomId)).toEqual([{ kind: "lease", contract_id: held.id, reservation_id: null }]);
  expect(await reservationOf(house, desk, id)).toMatchObject({
    state: "converted",
    held: 0,
    received: 100_000,
    contractNo: held.contractNo,
  });
  const { rows } = await pool.query(
    `select sum(amount)::int amount, sum(settled)::int received, sum(outstanding)::int owed from bill
     where contract_id = $1 and due_date <= '2026-11-20' and voided_at is null`,
    [held.id],
  );
  expect(rows).toEqual([{ amount: 600_000, received: 100_000, owed: 500_000 }]);
  const earnest = await pool.query(
    "select coalesce(sum(held), 0)::int held from earnest_balance e join bill b on b.id = e.bill_id where b.title like $1",
    [`%${number}`],
  );
  expect(earnest.rows).toEqual([{ held: 0 }]);
  // what is held now is the part of the contract's deposit that was paid with it
  expect(await bookOf(house, "2203")).toBe(0);
  const events = await pool.query("select distinct event from journal_entry where event in ('E09', 'E15')");
  expect(events.rows).toEqual([{ event: "E15" }]);
  expect(await ledgerBreaks(house)).toEqual([]);
  await house.deliver();
  expect((await house.did(getLead, { as }, { params: { id: leadId } })).state).toBe("signed");
});

test("in the form a reservation stands aside for its own party, and is in the way of everybody else", async () => {
  const roomId = await desk.room("1407");
  const { id, number } = await aHeldReservation(house, desk, { roomId });
  const { villageId, partyId, start, end } = await convert(id);
  const shownTo = async (more: { partyId?: number }) => {
    const query = { villageId, roomIds: String(roomId), start, end: end!, ...more };
    const { rooms } = await house.did(formData, { as }, { query });
    return rooms[0]!.timeline.map((t) => [t.label, t.kind, t.aside]);
  };
  expect(await shownTo({ partyId })).toEqual([[number, "reservation", true]]);
  expect(await shownTo({})).toEqual([[number, "reservation", false]]);
});

describe("a contract that falls back", () => {
  test("gives the room back to the reservation, and it goes on", async () => {
    const roomId = await desk.room("1501");
    const { id } = await aHeldReservation(house, desk, { roomId });
    const held = await submitted(house, as, await formFrom(id));
    await house.did(
      withdrawContract,
      { as, key: randomUUID() },
      { params: { id: held.id }, body: { reason: "客户要改租期" } },
    );
    expect(await rowsOf(roomId)).toEqual([{ kind: "reservation", contract_id: null, reservation_id: id }]);
    expect(await reservationOf(house, desk, id)).toMatchObject({
      state: "held",
      signing: false,
      contractId: null,
    });
  });

  test("lets it lapse when its day is over by then; until then it cannot lapse", async () => {
    const roomId = await desk.room("1502");
    const { id } = await aHeldReservation(house, desk, { roomId, holdUntil: "2026-11-21" });
    await submitted(house, as, await formFrom(id));
    house.setClock("2026-11-22T00:01:00+08:00");
    await lapsing(house);
    expect((await reservationOf(house, desk, id)).state).toBe("held");
    house.setClock("2026-12-20T00:01:00+08:00");
    await acting(house, (act) => letGoOverdue(act).then(() => undefined));
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "lapsed", held: 100_000 });
    expect(await rowsOf(roomId)).toEqual([]);
  });
});

describe("races", () => {
  test("one reservation converted twice: one contract has the room", async () => {
    const roomId = await desk.room("1503");
    const { id } = await aHeldReservation(house, desk, { roomId });
    const form = await formFrom(id);
    const drafts = [];
    for (let i = 0; i < 2; i++) {
      const draft = await house.did(createContract, { as }, { body: form });
      const { previewHash } = await house.did(previewContract, { as }, { body: { id: draft.id } });
      drafts.push({ id: draft.id, previewHash });
    }
    const answers = await Promise.all(
      drafts.map((d) =>
        house.ask(
          submitContract,
          { as, key: randomUUID() },
          { params: { id: d.id }, body: { previewHash: d.previewHash } },
        ),
      ),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((a) => a.status === 409)!.body.reason).toBe("roomTaken");
    expect(await rowsOf(roomId)).toHaveLength(1);
  });

  test("somebody else's contract is refused by the reservation, by its number", async () => {
    const roomId = await desk.room("1504");
    const { number } = await aReservation(house, desk, { roomId });
    const other = await aHeldReservation(house, desk, { roomId: await desk.room("1505") });
    const { partyId } = await reservationOf(house, desk, other.id);
    const body = aForm(
      { villageId: desk.villageId, roomId, partyId },
      { start: "2026-12-01", rent: 300_000 },
    );
    const draft = await house.did(createContract, { as }, { body });
    const preview = await house.did(previewContract, { as }, { body: { id: draft.id } });
    expect(preview.obstacles[0]).toMatchObject({ code: "roomTaken", msg: expect.stringContaining(number) });
    const refused = await house.ask(
      submitContract,
      { as, key: randomUUID() },
      { params: { id: draft.id }, body: { previewHash: preview.previewHash } },
    );
    expect(refused.body.message).toContain(`已被 ${number} 占用`);
  });
});

/** Takes so much off the earnest bill of a reservation. */
async function reduced(id: number, value: number): Promise<void> {
  const { billId } = await reservationOf(house, desk, id);
  const { rows: lines } = await pool.query("select id::int from bill_line where bill_id = $1", [billId]);
  const changes = [{ lineId: lines[0].id as number, mode: "minus" as const, value }];
  const params = { id: billId! };
  const { hash } = await house.did(previewAdjust, { as }, { params, body: { changes } });
  const body = { changes, reason: "老客户优惠", previewHash: hash };
  await house.did(adjustBill, { as }, { params, body });
}

test("earnest money that was reduced to 700.00 is said, listed and spent as 700.00", async () => {
  const { id } = await aReservation(house, desk, { roomId: await desk.room("1203R") });
  const { number, roomName } = await reservationOf(house, desk, id);
  await reduced(id, 30_000);
  expect((await paying(house, desk, id, 70_000)).body.data).toMatchObject({ state: "held" });
  const { rows: texts } = await pool.query(
    "select body from outbox where source = 'notice' and body like $1",
    [`%${roomName}已为您保留至%`],
  );
  expect(texts).toEqual([{ body: expect.stringContaining("已收定金 700.00 元") }]);
  const held = await submitted(house, as, await formFrom(id));
  await sign(held);
  const listed = await house.did(listReservations, { as }, { query: { keyword: number } as never });
  expect(listed.list).toMatchObject([{ state: "converted", earnest: 100_000, received: 70_000 }]);
  expect(listed.sums).toMatchObject({ received: 70_000 });
  const { rows: spent } = await pool.query(
    "select sum(settled)::int fen from bill where contract_id = $1 and voided_at is null",
    [held.id],
  );
  expect(spent).toEqual([{ fen: 70_000 }]);
  expect(await ledgerBreaks(house)).toEqual([]);
});

test("a reservation whose earnest money was waived is kept within the minute, and nothing is said to be paid", async () => {
  const { id } = await aReservation(house, desk, { roomId: await desk.room("1204R") });
  const { roomName } = await reservationOf(house, desk, id);
  await reduced(id, 100_000);
  await lapsing(house);
  await lapsing(house);
  expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", received: 0 });
  const { rows: texts } = await pool.query<{ body: string }>(
    "select body from outbox where source = 'notice' and body like $1",
    [`%${roomName}已为您保留至%`],
  );
  expect(texts.map(({ body }) => body.includes("已收"))).toEqual([false]);
  const { id: contractId } = await submitted(house, as, await formFrom(id));
  expect(contractId).toBeGreaterThan(0);
  expect(await ledgerBreaks(house)).toEqual([]);
});
