import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { addProduct, deleteProduct } from "../../listing/product/product.contract.ts";
import { aProduct } from "../../listing/product/product.sample.ts";
import { deleteRoom } from "../../listing/room-acts/room.contract.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { leadEvents, loseLead } from "../lead/acts.contract.ts";
import { sendLog } from "../send-log/send-log.contract.ts";
import { getLead } from "../lead/lead.contract.ts";
import { aRenter } from "../renter/renter.sample.ts";
import { aLead, aLettingOffice } from "../lead/lead.sample.ts";
import {
  addViewing,
  assignViewing,
  cancelViewing,
  confirmViewing,
  countViewings,
  finishViewing,
  getViewing,
  listViewings,
  missViewing,
  moveViewing,
  viewingWeek,
} from "./viewing.contract.ts";
import jobs from "./viewing.job.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-11-20T09:15:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const { here, there, zhao, li, head, stranger } = await aLettingOffice(house);
const { pool } = house.database;
const at = await aBuilding(house, here);
const roomIds = [
  (await aFlat(house, at, { name: "1201" })).roomIds[0]!,
  (await aFlat(house, at, { name: "1202" })).roomIds[0]!,
];

const typed = (when: string, more: object = {}) => ({
  name: "沈知夏",
  phone: "13755556666",
  villageId: here,
  roomIds,
  at: `2026-11-20T${when}:00+08:00`,
  minutes: "60" as const,
  assigneeId: zhao.operatorId,
  ...more,
});
const booking = (when: string, more: object = {}, as = zhao) =>
  house.ask(addViewing, { as }, { body: typed(when, more) });
const booked = async (when: string, more: object = {}) =>
  (await house.did(addViewing, { as: zhao }, { body: typed(when, more) })).id;
const one = (id: number, as = head) => house.did(getViewing, { as }, { params: { id } });

describe("an appointment", () => {
  test("is on the half-hour, within the store's hours, in the future, by somebody who works there", async () => {
    const said = async (when: string, more: object = {}) => (await booking(when, more)).body.fields;
    expect(await said("10:10")).toEqual([{ field: "at", msg: "看房时间须为整点或半点" }]);
    expect(await said("09:00")).toEqual([{ field: "at", msg: "看房时间须晚于现在" }]);
    expect(await said("18:30")).toEqual([{ field: "at", msg: "该门店看房时间为 09:00-19:00" }]);
    expect(await said("10:00", { assigneeId: stranger.operatorId })).toEqual([
      { field: "assigneeId", msg: "该员工不能带看此门店" },
    ]);
    expect(await said("10:00", { roomIds: [] })).toEqual([{ field: "roomIds", msg: "请选择房间或产品" }]);
    expect((await booking("10:00", { villageId: there })).status).toBe(404);
    const [far] = (await aFlat(house, await aBuilding(house, there), { name: "801" })).roomIds;
    expect(await said("10:00", { roomIds: [roomIds[0], far] })).toEqual([
      { field: "roomIds", msg: "请选择该门店的房间" },
    ]);
    const id = await booked("15:00", { roomIds: [roomIds[0], roomIds[0]], assigneeId: li.operatorId });
    expect((await one(id)).roomList.map((r) => r.id)).toEqual([roomIds[0]]);
  });

  test("of one member of staff never overlaps another, also when two are made at once", async () => {
    const answers = await Promise.all([booking("10:00"), booking("10:30")]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect(answers.find((a) => a.status === 400)!.body.fields).toEqual([
      { field: "at", msg: "该时段已有预约" },
    ]);
    expect((await booking("11:30")).status).toBe(200);
    expect((await booking("10:00", { assigneeId: li.operatorId })).status).toBe(200);
  });

  test("is moved while it is to come; a cancelled one frees its slot", async () => {
    const id = await booked("14:00");
    const { version } = await one(id);
    const moved = {
      version,
      at: "2026-11-20T11:30:00+08:00",
      minutes: "60" as const,
      assigneeId: zhao.operatorId,
    };
    const move = (body: typeof moved) => house.ask(moveViewing, { as: zhao }, { params: { id }, body });
    expect((await move(moved)).body.fields).toEqual([{ field: "at", msg: "该时段已有预约" }]);
    expect((await move({ ...moved, at: "2026-11-20T14:30:00+08:00" })).status).toBe(200);
    await house.did(
      cancelViewing,
      { as: zhao },
      { params: { id }, body: { version: version + 1, reason: "客户有事" } },
    );
    expect(await one(id)).toMatchObject({ state: "cancelled", cancelReason: "客户有事" });
    expect((await booking("14:30")).status).toBe(200);
    const late = await house.ask(
      confirmViewing,
      { as: zhao },
      { params: { id }, body: { version: version + 2 } },
    );
    expect(late.body.message).toBe("当前状态为“已取消”，不能确认");
  });

  test("is not made for a lead that has ended", async () => {
    const leadId = await aLead(house, zhao, here);
    const body = { version: 1, lostReason: "价格过高" };
    await house.did(loseLead, { as: zhao }, { params: { id: leadId }, body });
    expect((await booking("17:00", { leadId })).body.message).toBe("当前状态为“已流失”，不能预约看房");
  });

  test("of a lead: the first one that took place moves it to 已看房, with a line of its own", async () => {
    const leadId = await aLead(house, zhao, here, { name: "苏瑾" });
    const id = await booked("16:00", { leadId, name: "", phone: "" });
    expect(await one(id)).toMatchObject({ name: "苏瑾", source: "lead", state: "confirmed" });
    const body = {
      version: 1,
      results: [{ roomId: roomIds[0]!, result: "满意" as const }],
    };
    const early = await house.ask(finishViewing, { as: zhao }, { params: { id }, body });
    expect(early.body.message).toBe("还未到看房时间，可先改期");
    house.setClock("2026-11-20T17:10:00+08:00");
    await house.did(finishViewing, { as: zhao }, { params: { id }, body });
    expect((await house.did(getLead, { as: zhao }, { params: { id: leadId } })).state).toBe("viewed");
    const events = await house.did(leadEvents, { as: zhao }, { params: { id: leadId } });
    expect(events[0]).toMatchObject({ kind: "viewing", content: expect.stringContaining("看房完成：满意") });
    expect((await one(id)).roomList.map((r) => r.result)).toEqual(["满意", null]);
    const again = await house.ask(missViewing, { as: zhao }, { params: { id }, body: { version: 2 } });
    expect(again.body.message).toBe("当前状态为“已看房”，不能登记未到");
    expect((await booking("18:00", { leadId }, li)).status).toBe(404);
  });
});

test("whoever shows people around hears what others do with the appointment", async () => {
  const id = await booked("17:30", { name: "林可" });
  const titlesOf = async ({ operatorId }: typeof zhao) =>
    (
      await pool.query<{ title: string }>(
        "select m.title from message m join message_receipt r on r.message_id = m.id where m.biz_type = 'viewing' and m.biz_id = $1 and r.operator_id = $2 order by m.id",
        [id, operatorId],
      )
    ).rows.map((row) => row.title);
  const send = { as: head };
  const params = { id };
  await house.did(assignViewing, send, { params, body: { version: 1, assigneeId: li.operatorId } });
  const slot = { at: "2026-11-20T18:00:00+08:00", minutes: "60" as const, assigneeId: li.operatorId };
  await house.did(moveViewing, send, { params, body: { version: 2, ...slot } });
  await house.did(cancelViewing, send, { params, body: { version: 3, reason: "客户有事" } });
  expect(await titlesOf(zhao)).toEqual(["看房已转给他人：林可"]);
  expect(await titlesOf(li)).toEqual(["新的看房预约：林可", "看房已改期：林可", "看房已取消：林可"]);
});

test("whoever shows people around and whoever comes hear two hours before, once", async () => {
  house.setClock("2026-11-21T09:00:00+08:00");
  const id = await booked("10:00", { at: "2026-11-21T11:00:00+08:00", name: "江晚" });
  const remind = () => perform(house, jobs[0]!, {}, "soon");
  house.setClock("2026-11-21T08:59:00+08:00");
  await remind();
  house.setClock("2026-11-21T09:00:00+08:00");
  await remind();
  await remind();
  const { rows } = await pool.query(
    "select m.title from message m join message_receipt r on r.message_id = m.id where m.biz_type = 'viewing' and m.biz_id = $1 and r.operator_id = $2",
    [id, zhao.operatorId],
  );
  expect(rows).toEqual([{ title: "看房提醒：江晚 11:00" }]);
  const texts = await pool.query("select body from outbox where source = 'notice' and source_id = $1", [id]);
  expect(texts.rows).toEqual([{ body: expect.stringMatching(/^江晚您好，您预约了今天11:00到/) }]);
  // and it stands among everything that customers were sent
  const as = await house.person({ permits: ["18.query"], villages: [here] });
  const log = await house.did(sendLog, { as }, { query: { by: "notice" } });
  expect(log.list).toEqual([
    expect.objectContaining({
      partyName: "江晚",
      source: "看房提醒",
      address: expect.stringContaining("****"),
    }),
  ]);
  expect(
    (
      await house.did(
        sendLog,
        { as: await house.person({ permits: ["18.query"], villages: [there] }) },
        { query: {} },
      )
    ).list,
  ).toEqual([]);
});

test("the week, the list and its counts agree; a stranger sees nothing", async () => {
  const week = await house.did(viewingWeek, { as: head }, { query: { from: "2026-11-16" } });
  expect(week.days).toHaveLength(7);
  const inWeek = week.people.flatMap((p) => p.viewings).length;
  const { total, list } = await house.did(
    listViewings,
    { as: head },
    { query: { from: "2026-11-16", to: "2026-11-22" } },
  );
  const counts = await house.did(countViewings, { as: head }, { query: {} });
  expect(total).toBe(list.length);
  expect(counts.all).toBe(total);
  expect(inWeek).toBe(total! - (counts.cancelled ?? 0));
  expect(list.every((v) => v.phone.includes("****"))).toBe(true);
  expect((await house.did(listViewings, { as: stranger }, { query: {} })).total).toBe(0);
  expect((await house.ask(getViewing, { as: stranger }, { params: { id: list[0]!.id } })).status).toBe(404);
  // a customer's page shows the visits of the enquiries they once made
  const known = list.find((v) => v.leadId !== null)!;
  const renterId = await aRenter(house, here);
  await pool.query("update lead set renter_id = $1, company_id = null, merchant_id = null where id = $2", [
    renterId,
    known.leadId,
  ]);
  const visits = await house.did(listViewings, { as: head }, { query: { partyId: renterId } });
  expect(visits.list.map((v) => v.leadId)).toEqual(visits.list.map(() => known.leadId));
  expect(visits.list.map((v) => v.id)).toContain(known.id);
  const mine = await house.did(listViewings, { as: zhao }, { query: { today: "1" } });
  expect(mine.list.every((v) => v.assigneeId === zhao.operatorId && v.state === "confirmed")).toBe(true);
});

test("a room that somebody comes to see is not deleted", async () => {
  const as = await house.person({ superType: "1" });
  const [roomId] = (await aFlat(house, at, { name: "1203" })).roomIds;
  await booked("17:30", { roomIds: [roomId] });
  const gone = await house.ask(deleteRoom, { as }, { params: { id: roomId! }, query: { version: 1 } });
  expect(gone.body).toMatchObject({
    code: 409,
    message: "该房间有 1 条看房预约，不能删除，可改为停用或注销",
  });
});

test("a product that somebody comes to see is not deleted", async () => {
  const as = await house.person({ superType: "1" });
  const { id: productId } = await house.did(addProduct, { as }, { body: aProduct([here]) });
  await booked("16:00", { roomIds: [], productId });
  const { id: far } = await house.did(
    addProduct,
    { as },
    { body: aProduct([there], { code: "CP02", name: "临江两居" }) },
  );
  expect((await booking("16:30", { roomIds: [], productId: far })).body.fields).toEqual([
    { field: "productId", msg: "请选择产品" },
  ]);
  const gone = await house.ask(deleteProduct, { as }, { params: { id: productId }, query: { version: 1 } });
  expect(gone.body).toMatchObject({
    code: 409,
    message: "该产品有 1 条看房预约，不能删除，可改为停用",
  });
});
