import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { confirmRefund, rerouteRefund } from "../../finance/refund/refund.contract.ts";
import { APPLYING, BANK, PAYING, onRefund } from "../../finance/refund/refund.sample.ts";
import { closeTurnovers } from "../../listing/turnover/turnover.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { aForm, aRenter, signed } from "../contract/contract.sample.ts";
import { handOver } from "../signing/signing.contract.ts";
import { settlementActs } from "./settlement.contract.ts";
import { finishPaid } from "./settlement.job.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, as, pool, accounts, lease, draft, asked, preview, row, agreed, submitted, confirm, sound } =
  await aSettler(house);
const LEFT = "2026-08-05";

/** How the room reads on the day after, by the board's own reckoning, with when its cleaning began. */
async function roomOf(roomId: number, today = "2026-08-06") {
  const { rows } = await pool.query<{
    occupancy: string;
    condition: string;
    unsettled: boolean;
    opened: string | null;
  }>(
    `select s.occupancy, s.condition, s.unsettled, u.opened_day::text opened
     from room_status_at($2::date, $2::date, array[$1::bigint], array[$3::bigint]) s
     left join turnover u on u.id = s.turnover_id`,
    [shop.villageId, today, roomId],
  );
  return rows[0]!;
}
const setting = (on: boolean) =>
  pool.query(
    `insert into village_setting (village_id, cleaning_after_leave) values ($1, $2)
     on conflict (village_id) do update set cleaning_after_leave = excluded.cleaning_after_leave`,
    [shop.villageId, on],
  );
/** When rooms are free again; nobody has to pay before moving in. */
async function freeWhen(when: "paid" | "confirmed") {
  await pool.query("delete from contract_config where village_id = $1", [shop.villageId]);
  await pool.query(
    "insert into contract_config (enterprise_id, village_id, free_room_at, move_in_rule) values ($1, $2, $3, 'any')",
    [house.enterpriseId, shop.villageId, when],
  );
}

test("a room that was left waits for cleaning; an undo takes that back, and nobody moves in before it is clean", async () => {
  await freeWhen("confirmed");
  const contract = await lease();
  house.setClock(`${LEFT}T10:00:00+08:00`);
  const ready = await agreed(contract.id);
  await confirm(ready);
  expect(await roomOf(contract.roomId)).toMatchObject({ condition: "dirty", opened: LEFT });

  const { version } = await row(ready.id);
  const params = { id: ready.id };
  const body = { version, reason: "租客改变主意" };
  await house.did(settlementActs.undo, { as }, { params, body });
  expect(await roomOf(contract.roomId)).toMatchObject({ condition: "rentable", opened: null });

  await confirm(await submitted(ready.id));
  house.setClock("2026-08-06T10:00:00+08:00");
  const partyId = await aRenter(house, shop.villageId);
  const next = await signed(
    house,
    as,
    aForm({ ...shop, roomId: contract.roomId, partyId }, { start: "2026-08-06" }),
    "2026-08-06",
  );
  const keys = { handoverOn: "2026-08-06", version: next.version };
  const refused = await house.ask(handOver, { as }, { params: { id: next.id }, body: keys });
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("待保洁")]);
  const { rows } = await pool.query<{ id: number }>(
    "select id::int from turnover where room_id = $1 and done_day is null",
    [contract.roomId],
  );
  const clean = { doneDay: "2026-08-06", checklist: [], fileIds: [], note: "" };
  await acting(house, (act) => closeTurnovers(act, [rows[0]!.id], clean), { villages: [shop.villageId] });
  const moved = await house.ask(handOver, { as }, { params: { id: next.id }, body: keys });
  expect(moved.status).toBe(200);
});

test("where the store does not want it the room is rentable at once", async () => {
  await setting(false);
  const contract = await lease();
  house.setClock(`${LEFT}T10:00:00+08:00`);
  await confirm(await agreed(contract.id));
  expect(await roomOf(contract.roomId)).toMatchObject({ condition: "rentable", opened: null });
  await setting(true);
});

test("where rooms are free with the money it is cleaned then, once", async () => {
  await freeWhen("paid");
  const contract = await lease({ cycleMonths: 1 }, 4);
  house.setClock(`${LEFT}T10:00:00+08:00`);
  const ready = await agreed(contract.id);
  await confirm(ready);
  expect(await roomOf(contract.roomId)).toMatchObject({ occupancy: "leaving", opened: null });
  house.setClock("2026-08-10T10:00:00+08:00");
  await take(house, shop as never, accounts, contract.partyId, {
    amount: 288_724,
    paidAt: "2026-08-10T09:30:00+08:00",
    bills: [(await row(ready.id)).billId!],
    channel: "cash",
  });
  await acting(house, (act) => finishPaid(act, [contract.id]));
  expect(await roomOf(contract.roomId, "2026-08-10")).toMatchObject({
    occupancy: "vacant",
    opened: "2026-08-10",
    unsettled: false,
  });
  // its money came back and was paid again: it is not cleaned twice
  await pool.query("update turnover set done_day = opened_day where room_id = $1", [contract.roomId]);
  await pool.query("update contract_act set state = 'toPay' where id = $1", [ready.id]);
  await acting(house, (act) => finishPaid(act, [contract.id]));
  expect((await roomOf(contract.roomId, "2026-08-10")).opened).toBeNull();
});

test("E8 where rooms are free with the money: 退租中 until the refund is paid, then 待保洁, and 空置 once it is clean", async () => {
  await freeWhen("paid");
  const contract = await lease();
  house.setClock(`${LEFT}T10:00:00+08:00`);
  const ready = await agreed(contract.id);
  await confirm(ready);
  const boss = await house.person({ permits: [...APPLYING, ...PAYING], villages: [shop.villageId] });
  const { refundId, net } = await row(ready.id);
  expect(net).toBe(431_276);
  expect(await roomOf(contract.roomId)).toMatchObject({
    occupancy: "leaving",
    opened: null,
    unsettled: true,
  });
  await onRefund(house, boss, rerouteRefund, refundId!, BANK);
  const { data } = (await sendFile(house, boss, { name: "凭证.pdf", bytes: aPdf() }, "paper10M")).body;
  const paying = { merchantAccountId: accounts.bankTransfer, fileIds: [data.id] };
  expect((await onRefund(house, boss, confirmRefund, refundId!, paying)).status).toBe(200);
  await house.deliver();
  expect(await roomOf(contract.roomId)).toMatchObject({
    ...{ occupancy: "vacant", condition: "dirty", unsettled: false },
  });
  const { rows } = await pool.query<{ id: number }>(
    "select id::int from turnover where room_id = $1 and done_day is null",
    [contract.roomId],
  );
  const clean = { doneDay: LEFT, checklist: [], fileIds: [], note: "" };
  await acting(house, (act) => closeTurnovers(act, [rows[0]!.id], clean), { villages: [shop.villageId] });
  expect(await roomOf(contract.roomId)).toMatchObject({ occupancy: "vacant", condition: "rentable" });
  expect(await sound()).toEqual([]);
});

test.each(["paid", "confirmed"] as const)(
  "a settlement that comes to nothing is over when it is confirmed, where rooms are free when %s",
  async (when) => {
    await freeWhen(when);
    const contract = await lease();
    house.setClock(`${LEFT}T10:00:00+08:00`);
    const { id } = await asked(contract.id, draft({ charges: [] }));
    const { net } = await preview(id);
    // what is left over is charged
    const { version } = await row(id);
    const penalty = 350_000 + net;
    const setter = await house.person({ permits: ["72.edit", "#7203"], villages: [shop.villageId] });
    await house.did(
      settlementActs.edit,
      { as: setter },
      {
        params: { id },
        body: { ...draft({ charges: [] }), penalty, penaltyReason: "双方约定", version } as never,
      },
    );
    const ready = await submitted(id);
    expect((await confirm(ready)).body).toMatchObject({ code: 200, data: { state: "done" } });
    expect(await row(id)).toMatchObject({ net: 0, state: "done" });
    expect(await roomOf(contract.roomId)).toMatchObject({
      occupancy: "vacant",
      condition: "dirty",
      unsettled: false,
    });
    expect(await sound()).toEqual([]);
  },
);

test("a leaving is not taken back once the next tenant has the keys", async () => {
  const contract = await lease({ end: "2026-08-14" });
  const next = aForm({ ...shop, roomId: contract.roomId }, { start: "2026-08-15" });
  const { id } = await signed(house, as, next, "2026-03-12");
  house.setClock("2026-08-10T10:00:00+08:00");
  const ready = await agreed(contract.id, { effectiveOn: "2026-08-10" });
  await confirm(ready);
  await pool.query("update contract set handover_on = '2026-08-11' where id = $1", [id]);
  const { version } = await row(ready.id);
  const undone = await house.ask(
    settlementActs.undo,
    { as, key: randomUUID() },
    { params: { id: ready.id }, body: { version, reason: "租客改变主意" } },
  );
  expect(undone).toMatchObject({ status: 409, body: { reason: "roomTaken" } });
  expect(undone.body.message).toMatch(/已有下一租客入住，不能撤销退房$/);
});
