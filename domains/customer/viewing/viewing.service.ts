import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { tell } from "../../system/message/message.service.ts";
import { goesOn } from "../lead/acts.service.ts";
import { ownerOf, seenLead } from "../lead/lead.queries.ts";
import { addEvent, noteLead } from "../lead/lead.service.ts";
import { leadViewed } from "../lead/step.service.ts";
import {
  type Result,
  type RoomResult,
  SLOT_TAKEN,
  VIEWING_MOVES,
  type ViewingState,
  bestOf,
  resultsText,
  timeRefusal,
} from "./viewing.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

constraintSays("viewing_slot", { field: "at", msg: SLOT_TAKEN });

type Slot = { at: string; minutes: "30" | "60" | "90" | "120"; assigneeId: number };
export type NewViewing = Slot & {
  leadId?: number | null | undefined;
  name: string;
  phone: string;
  villageId: number;
  roomIds: number[];
  productId?: number | null | undefined;
  remark: string;
};

export type Viewing = {
  id: number;
  number: string;
  villageId: number;
  leadId: number | null;
  name: string;
  roomIds: number[];
  at: string;
  assigneeId: number | null;
  status: ViewingState;
  version: number;
};

const endOf = ({ at, minutes }: Slot) => new Date(new Date(at).getTime() + Number(minutes) * 60_000);

/** Within the hours in which the store shows rooms, by somebody who works there. */
async function checkSlot(act: Act, villageId: number, slot: Slot): Promise<void> {
  const hours = await theRow(act, "villageSetting", ["showingFrom", "showingTo"], { villageId });
  const why = timeRefusal(
    timeInZone(slot.at, act.settings.TIME_ZONE),
    Number(slot.minutes),
    { from: hours.showingFrom.slice(0, 5), to: hours.showingTo.slice(0, 5) },
    new Date(slot.at) > act.now,
  );
  if (why) throw invalid({ field: "at", msg: why });
  await checkAssignee(act, villageId, slot.assigneeId);
}

async function checkAssignee(act: Act, villageId: number, assigneeId: number): Promise<void> {
  const person = await ownerOf(act, assigneeId).catch(() => undefined);
  if (!person?.villages.includes(villageId))
    throw invalid({ field: "assigneeId", msg: "该员工不能带看此门店" });
}

export async function lockViewing(act: Act, id: number, version: number): Promise<Viewing> {
  const { rows } = await sql<Viewing>`
    select id, number, village_id "villageId", lead_id "leadId", name, room_ids "roomIds", at, assignee_id "assigneeId",
      state status, version
    from viewing where id = ${id} for no key update`.execute(act.tx);
  const viewing = seen(act.who, rows[0]);
  asSeen(viewing, version);
  return viewing;
}

/** The same line on the timelines of the appointment, its rooms and its lead. */
export async function noteViewing(
  act: Act,
  v: Pick<Viewing, "id" | "number" | "villageId" | "leadId" | "roomIds">,
  action: string,
  summary: string,
  kind: "viewing" | "system" = "system",
): Promise<void> {
  const entry = { number: v.number, villageId: v.villageId, action, summary };
  await act.note([
    { ...entry, kind: "viewing", recordId: v.id },
    ...v.roomIds.map((recordId) => ({ ...entry, kind: "room", recordId })),
  ]);
  if (!v.leadId) return;
  const lead = await aRow(act, "lead", ["id", "number", "villageIds"], { id: v.leadId });
  if (!lead) return;
  await addEvent(act, [lead.id], { kind, content: `${v.number} ${summary}` });
  await noteLead(act, lead, { action, summary: `${v.number} ${summary}` });
}

const whenText = (act: Act, at: string) => timeInZone(at, act.settings.TIME_ZONE).slice(0, 16);

/** Whoever shows people around hears what somebody else does with the appointment. */
async function tellShower(
  act: Act,
  v: Pick<Viewing, "id" | "villageId" | "name">,
  to: number | null,
  title: string,
  content: string,
): Promise<void> {
  if (to === null || to === act.who.operatorId) return;
  const about = { type: 4 as const, bizType: "viewing", bizId: v.id, villageId: v.villageId };
  await tell(act, { ...about, to: [to], title: `${title}：${v.name}`, content });
}

/** It is another's from now on: both hear of it. */
async function tellTaken(act: Act, v: Viewing, to: number, at: string): Promise<void> {
  if (to === v.assigneeId) return;
  const when = `${v.number} ${whenText(act, at)}`;
  await tellShower(act, v, to, "新的看房预约", `${when}，请准时带看。`);
  await tellShower(act, v, v.assigneeId, "看房已转给他人", `${when} 不再由您带看。`);
}

/** Made by staff it is confirmed at once. */
export async function bookViewing(act: Act, input: NewViewing): Promise<{ id: number; number: string }> {
  const villageId = inScope(act.who, input.villageId);
  const lead = input.leadId ? goesOn(act, await seenLead(act, input.leadId), "book") : undefined;
  await checkSlot(act, villageId, input);
  const rooms = await act.tx
    .selectFrom("room")
    .select("id")
    .where("id", "=", anyOf(input.roomIds))
    .where("villageId", "=", villageId)
    .execute();
  const { roomIds } = input;
  if (rooms.length < roomIds.length) throw invalid({ field: "roomIds", msg: "请选择该门店的房间" });
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: villageId });
  if (input.productId) {
    const product = await aRow(act, "product", ["villageIds"], { id: input.productId, enterpriseId });
    if (!product?.villageIds.includes(villageId)) throw invalid({ field: "productId", msg: "请选择产品" });
  }
  const [number] = await act.numbers("KF");
  const { id } = await act.tx
    .insertInto("viewing")
    .values({
      number: number!,
      enterpriseId,
      villageId,
      leadId: lead?.id ?? null,
      roomIds,
      productId: input.productId ?? null,
      name: lead?.name ?? input.name,
      phone: lead?.phone ?? input.phone,
      at: input.at,
      endsAt: endOf(input),
      assigneeId: input.assigneeId,
      source: lead ? "lead" : "store",
      state: "confirmed",
      remark: input.remark,
      createdAt: act.now,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const made = { id, number: number!, villageId, leadId: lead?.id ?? null, roomIds };
  await noteViewing(act, made, "预约看房", `预约 ${whenText(act, input.at)} 看房`);
  const said = `${number} ${whenText(act, input.at)}，请准时带看。`;
  await tellShower(act, { ...made, name: lead?.name ?? input.name }, input.assigneeId, "新的看房预约", said);
  return { id, number: number! };
}

export async function change(act: Act, v: Viewing, set: Record<string, unknown>): Promise<void> {
  await act.tx
    .updateTable("viewing")
    .set({ ...set, version: v.version + 1, updatedAt: act.now, updatedBy: act.who.operatorId })
    .where("id", "=", v.id)
    .execute();
}

type Seen = { version: number };

export async function moveTo(act: Act, id: number, { version, ...slot }: Slot & Seen): Promise<void> {
  const v = await lockViewing(act, id, version);
  VIEWING_MOVES.next("move", v);
  await checkSlot(act, v.villageId, slot);
  await change(act, v, {
    at: slot.at,
    endsAt: endOf(slot),
    assigneeId: slot.assigneeId,
    remindedAt: null,
  });
  const moved = `${whenText(act, v.at)} → ${whenText(act, slot.at)}`;
  await noteViewing(act, v, "改期", moved);
  if (slot.assigneeId === v.assigneeId)
    await tellShower(act, v, v.assigneeId, "看房已改期", `${v.number} ${moved}`);
  await tellTaken(act, v, slot.assigneeId, slot.at);
}

export async function assignTo(act: Act, id: number, { version, assigneeId }: Seen & { assigneeId: number }) {
  const v = await lockViewing(act, id, version);
  VIEWING_MOVES.next("assign", v);
  await checkAssignee(act, v.villageId, assigneeId);
  await change(act, v, { assigneeId });
  await noteViewing(act, v, "指派", "更换带看人");
  await tellTaken(act, v, assigneeId, v.at);
}

export async function confirm(act: Act, id: number, { version }: Seen): Promise<void> {
  const v = await lockViewing(act, id, version);
  await change(act, v, { state: VIEWING_MOVES.next("confirm", v) });
  await noteViewing(act, v, "确认", `确认 ${whenText(act, v.at)} 看房`);
}

export async function miss(act: Act, id: number, { version }: Seen): Promise<void> {
  const v = await lockViewing(act, id, version);
  const state = VIEWING_MOVES.next("noShow", v);
  if (new Date(v.at) > act.now) throw new Refusal("notAllowed", "还未到看房时间");
  await change(act, v, { state });
  await noteViewing(act, v, "未到", "客户未到");
}

export async function cancel(
  act: Act,
  id: number,
  { version, reason }: Seen & { reason: string },
): Promise<void> {
  const v = await lockViewing(act, id, version);
  await change(act, v, { state: VIEWING_MOVES.next("cancel", v), cancelReason: reason });
  await noteViewing(act, v, "取消", `取消看房：${reason}`);
  await tellShower(act, v, v.assigneeId, "看房已取消", `${v.number} ${whenText(act, v.at)}：${reason}`);
}

type Seeing = {
  version: number;
  result?: Result | null | undefined;
  results: { roomId: number; result?: Result | null | undefined; feedback: string }[];
  feedback: string;
};

/** Of the rooms of an appointment those that were seen, each once; one at least. */
function seenOf(v: Viewing, results: Seeing["results"]): RoomResult[] {
  const wrong = (msg: string) => invalid({ field: "results", msg });
  if (results.some((r) => !v.roomIds.includes(r.roomId))) throw wrong("只能评价预约的房间");
  if (new Set(results.map((r) => r.roomId)).size < results.length) throw wrong("同一间房只能评价一次");
  if (results.some((r) => !r.result && r.feedback)) throw wrong("填写了反馈的房间请选择结果");
  const seen = results.flatMap(({ result, ...r }) => (result ? [{ ...r, result }] : []));
  if (v.roomIds.length && !seen.length) throw wrong("请至少选择一间房的结果");
  return seen;
}

/** What the customer thought of each room that was shown; the first viewing moves the lead on. */
export async function finish(act: Act, id: number, said: Seeing): Promise<void> {
  const v = await lockViewing(act, id, said.version);
  const state = VIEWING_MOVES.next("view", v);
  if (new Date(v.at) > act.now) throw new Refusal("notAllowed", "还未到看房时间，可先改期");
  const seen = seenOf(v, said.results);
  const result = bestOf(seen) ?? said.result;
  if (!result) throw invalid({ field: "result", msg: "请选择结果" });
  await change(act, v, {
    state,
    result,
    results: JSON.stringify(seen),
    feedback: said.feedback,
    viewedAt: act.now,
  });
  await leadViewed(act, v.leadId);
  const names = await roomNames(act, v.roomIds);
  const rooms = resultsText(seen.map((r) => ({ ...r, name: names.get(r.roomId) ?? "" })));
  const summary = [`看房完成：${result}`, rooms, said.feedback].filter(Boolean).join("，");
  await noteViewing(act, v, "看房完成", summary, "viewing");
}

async function roomNames(act: Act, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await act.tx
    .selectFrom("room")
    .select(["id", "fullName"])
    .where("id", "=", anyOf(ids))
    .execute();
  return new Map(rows.map((room) => [room.id, room.fullName]));
}
