import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { sendNotices } from "../../customer/push/notice.service.ts";
import { letGo } from "../../customer/reservation-acts/acts.service.ts";
import { reserve } from "../../customer/reservation/create.service.ts";
import { endAfter } from "../schedule/months.rules.ts";
import { type Application, lockApplication, readApplications } from "./application.queries.ts";
import { APPLICATION_MOVES, type ApplicationMove, holdUntilRefusal, insteadOf } from "./application.rules.ts";
import { applicationNote, notAgain, placesOf } from "./application.service.ts";

/** The applicant hears by text message what became of the request, each thing once. */
const tellApplicant = (act: Act, a: Application, body: string, once: string): Promise<void> =>
  sendNotices(act, [
    {
      notice: "租赁申请",
      channel: "sms",
      recipient: a.phone,
      receiver: a.name,
      body: `${a.name}您好，您的租赁申请（${a.applyNo}，${a.target}）${body}`,
      source: "notice",
      sourceId: a.id,
      villageId: a.villageId,
      enterpriseId: a.enterpriseId,
      once: `leaseApplication.${once}.${a.id}.${a.version}`,
    },
  ]);

type Set = { contractId?: number; reservationId?: number; roomIds?: number[]; reviewNote?: string };
/** Writes a move of a locked request. A review says who made it. */
async function move(act: Act, a: Application, name: ApplicationMove, set: Set = {}): Promise<void> {
  const state = APPLICATION_MOVES.next(name, a);
  const reviewed = name === "approve" || name === "reject";
  await revise(
    act,
    "leaseApplication",
    { id: a.id, version: a.version },
    {
      ...set,
      outcome: state === "converted" ? "approved" : state,
      ...(reviewed && { reviewedAt: act.now.toISOString(), reviewerId: act.who.operatorId }),
      ...stamp(act),
    },
  );
}

export async function approve(
  act: Act,
  id: number,
  { version, note }: { version: number; note: string },
): Promise<void> {
  const a = await lockApplication(act, id, version);
  await move(act, a, "approve", { reviewNote: note });
  await act.note(applicationNote(a, "审核通过", `审核通过${note && `：${note}`}`));
  await tellApplicant(act, a, `已通过审核，${a.villageName}将与您联系办理签约。`, "approved");
}

/** The room that is kept for a request that comes to nothing is free again. */
async function freeRoom(act: Act, a: Application, reason: string): Promise<void> {
  if (a.reservationId === null) return;
  // a job looks everywhere, and the request may name another store by now
  const { villageId } = await theRow(act, "reservation", ["villageId"], { id: a.reservationId });
  const at = { ...act, who: { ...act.who, villages: [villageId] } };
  await letGo(at, a.reservationId, reason);
}

export async function rejectOne(act: Act, a: Application, reason: string): Promise<void> {
  await move(act, a, "reject", { reviewNote: reason });
  await freeRoom(act, a, `租赁申请未通过：${reason}`);
  await act.note(applicationNote(a, "拒绝", `审核未通过：${reason}`));
  await tellApplicant(act, a, `未通过审核：${reason}`, "rejected");
}
export const reject = async (
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<void> => rejectOne(act, await lockApplication(act, id, version), reason);

export async function cancelOne(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<void> {
  const a = await lockApplication(act, id, version);
  await move(act, a, "cancel", { reviewNote: reason });
  await freeRoom(act, a, `租赁申请已取消：${reason}`);
  await act.note(applicationNote(a, "取消", `取消租赁申请：${reason}`));
  await tellApplicant(act, a, `已取消：${reason}`, "cancelled");
}

/** Nobody has reviewed it in time. */
export async function expire(act: Act, id: number): Promise<boolean> {
  const [a] = await readApplications(act, [id], true);
  if (a?.status !== "submitted") return false;
  await move(act, a, "expire");
  await freeRoom(act, a, "租赁申请逾期未审核");
  await act.note(applicationNote(a, "过期", "逾期未审核，申请自动过期"));
  await tellApplicant(act, a, "已过期，如仍需租房请重新提交。", "expired");
  return true;
}

/** Keeps the room for the applicant without earnest money. Who is no customer yet becomes one. */
export async function hold(
  act: Act,
  id: number,
  { version, holdUntil, rent }: { version: number; holdUntil: string; rent: number },
): Promise<{ number: string; waiting: string | null }> {
  const a = await lockApplication(act, id, version);
  APPLICATION_MOVES.next("hold", a);
  const why = holdUntilRefusal(holdUntil, act.today);
  if (why) throw invalid({ field: "holdUntil", msg: why });
  if (a.wantStart < act.today)
    throw new Refusal(
      "notAllowed",
      `申请的起租日 ${a.wantStart} 已过，不能保留房间，请修改起租日或转合同办理`,
    );
  const firm = a.partyType === "renter" ? undefined : await firmOf(act, a);
  if (a.partyType !== "renter" && !firm)
    throw new Refusal("notAllowed", `请先在客户中登记${a.firmName}，再保留房间`);
  const made = await reserve(act, {
    leadId: a.leadId,
    partyId: firm ?? null,
    name: a.name,
    phone: a.phone,
    villageId: a.villageId,
    roomId: a.roomIds[0]!,
    moveInDay: a.wantStart,
    plannedEndDay: endAfter(a.wantStart, a.wantMonths),
    rent,
    unit: "month",
    holdUntil,
    earnestKind: "订金",
    earnest: 0,
    remark: `租赁申请 ${a.applyNo}`,
  });
  await move(act, a, "hold", { reservationId: made.id });
  const waits = made.waiting ? `，等待审批 ${made.waiting}` : "";
  await act.note(
    applicationNote(a, "保留房间", `预订 ${made.number} 保留 ${a.target} 至 ${holdUntil}${waits}`),
  );
  return { number: made.number, waiting: made.waiting };
}

/** The registered firm that a request names: by its credit code, else by its whole name. */
export async function firmOf(
  act: Act,
  a: Pick<Application, "enterpriseId" | "partyType" | "creditCode" | "firmName">,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select p.id from party p join firm f on f.id = p.id
    where p.enterprise_id = ${a.enterpriseId} and p.kind = ${a.partyType} and f.merged_into_id is null
      and (f.credit_code = ${a.creditCode} or (${a.creditCode}::text is null and p.name = ${a.firmName}))
      and exists (select from party_village v where v.party_id = p.id and v.village_id = ${anyOf(act.who.villages)})
    order by p.id desc limit 1`.execute(act.tx);
  return rows[0]?.id;
}

/** Another room of the store in the place of what was asked for. */
export async function changeRoom(
  act: Act,
  id: number,
  { version, roomId, insteadId }: { version: number; roomId: number; insteadId?: number | undefined },
): Promise<void> {
  const a = await lockApplication(act, id, version);
  APPLICATION_MOVES.next("changeRoom", a);
  if (a.roomIds.includes(roomId)) throw invalid({ field: "roomId", msg: "请选择另一间房" });
  const instead = insteadOf(a.roomIds, insteadId);
  if (a.roomIds.length > 1 && instead === undefined)
    throw invalid({ field: "insteadId", msg: "请选择要换的房间" });
  const roomIds = a.roomIds.length ? a.roomIds.map((id) => (id === instead ? roomId : id)) : [roomId];
  await placesOf(act, { villageId: a.villageId, roomIds });
  await notAgain(act, { ...a, roomIds }, "staff", id);
  await move(act, a, "changeRoom", { roomIds });
  const [after] = await readApplications(act, [id]);
  await act.note(applicationNote(a, "换房", `${a.target} → ${after!.target}`));
}

/** A contract was drafted of it. */
export async function becomeContract(act: Act, a: Application, contract: { id: number; contractNo: string }) {
  await move(act, a, "convert", { contractId: contract.id });
  await act.note(applicationNote(a, "转合同", `转为合同 ${contract.contractNo}`));
}

/** Its draft is about to be deleted: it waits for a contract again. */
export async function giveBack(act: Act, contractId: number): Promise<void> {
  const row = await act.tx
    .selectFrom("leaseApplication")
    .select("id")
    .where("contractId", "=", contractId)
    .executeTakeFirst();
  const [a] = row ? await readApplications(act, [row.id], true) : [];
  if (!a) return;
  APPLICATION_MOVES.next("giveBack", a);
  await revise(
    act,
    "leaseApplication",
    { id: a.id, version: a.version },
    { contractId: null, ...stamp(act) },
  );
  await act.note(applicationNote(a, "退回", "合同草稿已删除，申请回到已通过"));
}

type Outcome = {
  done: number;
  rows: { id: number; applyNo: string; name: string; refusal: string | null }[];
};
/** Each by itself: what stands in the way of one leaves the others. */
async function each(
  act: Act,
  ids: readonly number[],
  name: ApplicationMove,
  work: (a: Application) => Promise<string | void>,
): Promise<Outcome> {
  const all = await readApplications(act, ids, true);
  if (all.length < ids.length || all.some((a) => !act.who.villages.includes(a.villageId))) throw notFound();
  const rows = [];
  for (const a of all) {
    const refusal = APPLICATION_MOVES.refusal(name, a) ?? (await work(a)) ?? null;
    rows.push({ id: a.id, applyNo: a.applyNo, name: a.name, refusal });
  }
  return { done: rows.filter((row) => row.refusal === null).length, rows };
}

export const rejectMany = (act: Act, { ids, reason }: { ids: number[]; reason: string }) =>
  each(act, ids, "reject", (a) => rejectOne(act, a, reason));

/** Whoever reviews must see the store. They are told once for all. */
export async function assignMany(act: Act, { ids, reviewerId }: { ids: number[]; reviewerId: number }) {
  const { rows } = await sql<{ name: string; villageId: number }>`
    select o.real_name name, v.id "villageId" from operator o join village v on v.enterprise_id = o.enterprise_id
      and (o.super_type <> '' or o.all_villages or v.id = any(o.village_ids))
    where o.id = ${reviewerId} and o.enterprise_id = ${act.who.enterpriseId} and o.state = 'active'`.execute(
    act.tx,
  );
  const villages = new Set(rows.map((row) => row.villageId));
  const name = rows[0]?.name;
  if (!name) throw invalid({ field: "reviewerId", msg: "该员工不存在或已停用" });
  return each(act, ids, "assign", async (a) => {
    if (!villages.has(a.villageId)) return `${name}不在${a.villageName}任职`;
    if (a.reviewerId === reviewerId) return `审核人已经是${name}`;
    await revise(act, "leaseApplication", { id: a.id, version: a.version }, { reviewerId, ...stamp(act) });
    await act.note(applicationNote(a, "指派审核人", `审核人：${name}`));
    return undefined;
  });
}
