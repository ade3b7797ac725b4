import { sql } from "kysely";
import { NEXT_VERSION, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import type { SeenLead } from "./lead.queries.ts";
import { FOLLOW_KINDS, LEAD_MOVES, type LeadState, LIVE, notYours } from "./lead.rules.ts";
import { addEvent, liveLead, noteLead, roomFor } from "./lead.service.ts";

/** Only its owner works on a lead, or who assigns leads. */
export function workable(act: Act, lead: SeenLead): SeenLead {
  const why = notYours(lead, act.who.operatorId, act.who.permits.has("#1501"));
  if (why) throw new Refusal("notYours", why, 409);
  return lead;
}

/** The same for what is begun for it: one that was signed or lost stays what it is. */
export function goesOn(act: Act, lead: SeenLead, move: "book" | "reserve"): SeenLead {
  LEAD_MOVES.next(move, row(workable(act, lead)));
  return lead;
}

const row = (lead: SeenLead) => ({ ...lead, status: lead.state });
const now = (act: Act) => act.now.toISOString();

/** Writes what a move changes, on the version that whoever moves has seen. */
async function change(
  act: Act,
  lead: SeenLead,
  version: number,
  set: Record<string, unknown>,
): Promise<void> {
  await revise(act, "lead", { id: lead.id, version }, { ...set, ...stamp(act) });
}

/** It was signed or lost since it was read, or an import that brought it was undone. */
async function refuseEnded(act: Act, lead: SeenLead): Promise<never> {
  const now = await aRow(act, "lead", ["state"], { id: lead.id });
  if (!now) throw notFound();
  LEAD_MOVES.next("follow", { ...lead, status: now.state as LeadState });
  throw stale();
}

export async function follow(
  act: Act,
  lead: SeenLead,
  said: {
    kind: "call" | "wechat" | "visit";
    content: string;
    nextFollowDay?: string | null | undefined;
    fileIds: readonly number[];
  },
): Promise<void> {
  LEAD_MOVES.next("follow", row(lead));
  if (said.nextFollowDay && said.nextFollowDay < act.today)
    throw invalid({ field: "nextFollowDay", msg: "下次跟进不能早于今天" });
  const { numUpdatedRows } = await act.tx
    .updateTable("lead")
    .set({
      // as the lead is by now, which others move too
      state: sql`case when state = 'new' then 'following' else state end`,
      followingAt: sql`coalesce(following_at, ${now(act)}::timestamptz)`,
      lastFollowAt: now(act),
      nextFollowDay: said.nextFollowDay ?? null,
      version: NEXT_VERSION,
    })
    .where("id", "=", lead.id)
    .where("state", "in", [...LIVE])
    .executeTakeFirst();
  if (!numUpdatedRows) await refuseEnded(act, lead);
  const [eventId] = await addEvent(act, [lead.id], { ...said, nextFollowDay: said.nextFollowDay ?? null });
  await attachFiles(act, said.fileIds, {
    targetKind: "leadEvent",
    targetId: eventId!,
    villageId: lead.villageIds.find((id) => act.who.villages.includes(id))!,
    needs: "15.get",
  });
  // what was said stands in the event alone: the log is never erased
  await noteLead(act, lead, {
    action: "跟进",
    summary: `${FOLLOW_KINDS[said.kind][0]}跟进客源${lead.number}`,
  });
}

/** A lead whose room is still kept is not given up before the reservation is. */
export async function refuseReserved(act: Act, leadId: number): Promise<void> {
  const open = await act.tx
    .selectFrom("reservation")
    .select("number")
    .where("leadId", "=", leadId)
    .where("state", "in", ["pending", "held"])
    .executeTakeFirst();
  if (open) throw new Refusal("notAllowed", `该客源有进行中的预订 ${open.number}，请先取消预订`, 409);
}

export async function lose(
  act: Act,
  lead: SeenLead,
  { version, lostReason, lostNote }: { version: number; lostReason: string; lostNote: string },
): Promise<void> {
  const state = LEAD_MOVES.next("lose", row(lead));
  await refuseReserved(act, lead.id);
  await checkWords(act, "customer", "lostReason", [lostReason], { field: "lostReason" });
  await change(act, lead, version, { state, lostReason, lostNote, lostAt: now(act), nextFollowDay: null });
  const content = `流失：${[lostReason, lostNote].filter(Boolean).join("，")}`;
  await addEvent(act, [lead.id], { kind: "system", content });
  await noteLead(act, lead, { action: "流失", summary: `流失：${lostReason}` });
}

/** A lost lead comes back to whoever reopens it, unless the same phone is being looked after by now. */
export async function reopen(act: Act, lead: SeenLead, version: number): Promise<void> {
  const state = LEAD_MOVES.next("reopen", row(lead));
  await roomFor(act, act.who.operatorId, "您", 1);
  await change(act, lead, version, {
    state,
    lostReason: "",
    lostNote: "",
    lostAt: null,
    ownerId: act.who.operatorId,
    ownedAt: now(act),
    poolAt: null,
  });
  await addEvent(act, [lead.id], { kind: "system", content: "重新激活" });
  await noteLead(act, lead, { action: "重新激活", summary: `重新激活客源${lead.name}` });
}

export async function release(act: Act, lead: SeenLead, version: number): Promise<void> {
  LEAD_MOVES.next("release", row(lead));
  await change(act, lead, version, { ownerId: null, ownedAt: null, poolAt: now(act) });
  await addEvent(act, [lead.id], { kind: "system", content: `${lead.ownerName}释放到公海` });
  await noteLead(act, lead, { action: "释放", summary: `${lead.ownerName}把客源${lead.name}释放到公海` });
}

/** One conditional update: of two at once one has it. So many a day and so many live ones per person, by settings. */
export async function claim(act: Act, lead: SeenLead): Promise<void> {
  const { operatorId, name } = act.who;
  const most = act.settings.LEAD_CLAIMS_A_DAY;
  if (lead.ownerId === operatorId) throw new Refusal("notAllowed", "该客源已由您跟进", 409);
  await roomFor(act, operatorId, "您", 1);
  const taken = await act.tx
    .updateTable("lead")
    .set({
      ownerId: operatorId,
      ownedAt: now(act),
      poolAt: null,
      updatedAt: now(act),
      updatedBy: operatorId,
      version: NEXT_VERSION,
    })
    .where("id", "=", lead.id)
    .where("ownerId", "is", null)
    .where("state", "in", [...LIVE])
    .executeTakeFirst();
  if (!taken.numUpdatedRows) throw new Refusal("claimed", "该客源已被他人领取", 409);
  const { rows } = await sql`
    insert into lead_claim_day (operator_id, day, count) values (${operatorId}, ${act.today}::date, 1)
    on conflict (operator_id, day) do update set count = lead_claim_day.count + 1
      where lead_claim_day.count < ${most} returning count`.execute(act.tx);
  if (!rows.length) throw new Refusal("tooMany", `每天最多领取${most}条客源，请明天再来`, 409);
  await addEvent(act, [lead.id], { kind: "system", content: `${name}从公海领取` });
  await noteLead(act, lead, { action: "领取", summary: `${name}领取客源${lead.name}` });
}

/** Gives leads to somebody who works in one of their stores; who had them hears of it, and so does who has them. */
export async function assign(
  act: Act,
  leads: readonly SeenLead[],
  owner: { id: number; name: string; villages: readonly number[] },
): Promise<number> {
  const moved = leads.filter((lead) => lead.ownerId !== owner.id);
  for (const lead of moved) {
    if (!(LIVE as readonly string[]).includes(lead.state))
      throw new Refusal("notAllowed", `${lead.name}（${lead.number}）已结束，不能分配`, 409);
    if (!lead.villageIds.some((id) => owner.villages.includes(id)))
      throw new Refusal("notAllowed", `${owner.name}不负责${lead.name}（${lead.number}）的意向门店`, 409);
  }
  if (!moved.length) return 0;
  await roomFor(act, owner.id, owner.name, moved.length);
  const { numUpdatedRows } = await act.tx
    .updateTable("lead")
    .set({
      ownerId: owner.id,
      ownedAt: now(act),
      poolAt: null,
      updatedAt: now(act),
      updatedBy: act.who.operatorId,
      version: NEXT_VERSION,
    })
    .where(
      "id",
      "in",
      moved.map((lead) => lead.id),
    )
    .where("state", "in", [...LIVE])
    .executeTakeFirst();
  // one of them was signed, lost or removed since it was read
  if (Number(numUpdatedRows) !== moved.length) throw stale();
  for (const lead of moved) {
    const content = `${lead.ownerName || "公海"} → ${owner.name}`;
    await addEvent(act, [lead.id], { kind: "system", content: `分配：${content}` });
    await noteLead(act, lead, { action: "分配", summary: `客源${lead.name}：${content}` });
    const told = {
      type: 4 as const,
      content: `${act.who.name}把客源${lead.name}（${lead.number}）从${lead.ownerName || "公海"}转给${owner.name}。`,
      bizType: "lead",
      bizId: lead.id,
    };
    await tell(act, { ...told, to: [owner.id], title: `新分配的客源：${lead.name}` });
    if (lead.ownerId)
      await tell(act, { ...told, to: [lead.ownerId], title: `客源${lead.name}已转给${owner.name}` });
  }
  return moved.length;
}

/** Tells the owner of a phone's live lead that a colleague would like to have it. */
export async function askFor(act: Act, phone: string): Promise<void> {
  const live = await liveLead(act, act.who.enterpriseId, phone);
  if (!live?.ownerId) throw notFound();
  await tell(act, {
    to: [live.ownerId],
    type: 4,
    title: `${act.who.name}申请转移客源${live.name}`,
    content: `${act.who.name}接待了客源${live.name}（${live.number}），希望由其继续跟进。同意的话，请释放该客源，或联系主管分配。`,
    bizType: "lead",
    bizId: live.id,
    once: `lead.asked.${live.id}.${act.who.operatorId}.${act.today}`,
  });
}
