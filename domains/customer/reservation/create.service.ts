import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { billEarnest } from "../../finance/earnest/earnest.service.ts";
import { priceAt } from "../../listing/room/room.service.ts";
import { linkParty } from "../../party/party/party.service.ts";
import { agentFor } from "../agent/agent.service.ts";
import { refuseBlacklisted } from "../blacklist/blacklist.service.ts";
import { choosable } from "../choice/choice.queries.ts";
import { goesOn } from "../lead/acts.service.ts";
import { linkLead, partyOfLead, renterByPhone } from "../lead/customer.service.ts";
import { seenLead } from "../lead/lead.queries.ts";
import { renterInput } from "../renter/renter.contract.ts";
import { createRenter } from "../renter/renter.service.ts";
import { proposeBelow, refuseHeldOver, roomOf } from "./approval.service.ts";
import { becomeHeld, noteReservation, payBy, takeRoom } from "./hold.service.ts";
import { readReservation } from "./record.queries.ts";
import type { ReservationInput } from "./reservation.contract.ts";
import { type Below, type Rent, belowLowest, holdRefusal } from "./reservation.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

export type Whose = { id: number; name: string; leadId: number | null };

/**
 * For whom a room is kept: a customer who is chosen, else the one that the lead turned out to be, else whoever has the
 * typed or the lead's phone under the same name; somebody unknown is registered on the way, and the lead is linked to them.
 */
export async function partyFor(act: Act, input: ReservationInput, enterpriseId: number): Promise<Whose> {
  const lead = input.leadId ? goesOn(act, await seenLead(act, input.leadId), "reserve") : undefined;
  if (lead && lead.enterpriseId !== enterpriseId) throw notFound();
  const known = input.partyId
    ? await chosen(act, input.partyId, enterpriseId)
    : ((lead && (await partyOfLead(act, lead.id))) ??
      (await byPhone(act, lead ?? input, enterpriseId, lead ? "partyId" : "phone")));
  const party = known ?? (await registered(act, input, lead));
  if (lead) await linkLead(act, lead.id, party.id);
  return { ...party, leadId: lead?.id ?? null };
}

async function chosen(act: Act, partyId: number, enterpriseId: number) {
  const party = await choosable(act, partyId);
  if (party?.enterpriseId !== enterpriseId) throw invalid({ field: "partyId", msg: "请选择客户" });
  return { id: party.id, name: party.name };
}

/** Another name under the same number may be another person: who it is has to be said. */
async function byPhone(
  act: Act,
  { name, phone }: { name: string; phone: string },
  enterpriseId: number,
  field: "partyId" | "phone",
) {
  const known = await renterByPhone(act, enterpriseId, phone, name);
  if (!known) return undefined;
  if (known.same) return { id: known.id, name };
  const how = field === "phone" ? "是同一人请直接选择客户，不是请先新建租客" : "请先在客源中选择客户";
  throw invalid({ field, msg: `该手机号已登记：${known.name}，${how}` });
}

async function registered(
  act: Act,
  input: ReservationInput,
  lead: { name: string; phone: string; source: string } | undefined,
) {
  const { name, phone } = lead ?? input;
  const source = lead?.source ?? "walkIn";
  const typed = renterInput.safeParse({ name, phone, source, homeVillageId: input.villageId });
  if (!typed.success)
    throw invalid({
      field: lead ? "partyId" : "name",
      msg: typed.error.issues[0]?.message ?? "客户资料不完整",
    });
  const { id } = await createRenter(act, typed.data, { source });
  return { id, name };
}

constraintSays("reservation_of_lead", { code: "conflict", msg: "该客源已有进行中的预订，请先取消或换房间" });

export type Rules = {
  unpaidMinutes: number;
  maxDays: number;
  earnestKind: "定金" | "订金";
  state: string;
  enterpriseId: number;
};

export async function rulesOf(read: Read, villageId: number): Promise<Rules> {
  const { rows } = await sql<Rules>`
    select s.reservation_unpaid_minutes "unpaidMinutes", s.reservation_max_days "maxDays",
      s.earnest_kind "earnestKind", v.state,
      v.enterprise_id "enterpriseId"
    from village v join village_setting s on s.village_id = v.id where v.id = ${villageId}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** A rent beside the lowest price that the room has on a day, when it stays under it. */
export async function below(
  read: Read,
  roomId: number,
  day: string,
  agreed: Rent,
): Promise<Below | undefined> {
  const price = (await priceAt(read, [roomId], day)).get(roomId);
  if (!price) return undefined;
  const { area } = await theRow(read, "room", ["area"], { id: roomId });
  return belowLowest(agreed, price, area);
}

/** Who brought the customer; the agent of the lead stays, also when he has stopped working since. */
async function agentOf(act: Act, agentId: number | null | undefined, of: Whose, enterpriseId: number) {
  const party = await theRow(act, "party", ["phone"], { id: of.id });
  const lead = of.leadId ? await aRow(act, "lead", ["agentId"], { id: of.leadId }) : undefined;
  return agentFor(act, agentId, { enterpriseId, phone: party.phone, kept: lead?.agentId ?? null });
}

/**
 * Keeps a room: the record, its days on the timeline and the bill for the earnest money, in one transaction. Without
 * earnest money it is held at once; where a store keeps rooms only once paid, it takes the room with the money.
 */
export async function reserve(
  act: Act,
  input: ReservationInput,
): Promise<{ id: number; number: string; waiting: string | null }> {
  const villageId = inScope(act.who, input.villageId);
  const rules = await rulesOf(act, villageId);
  if (rules.state === "closed") throw new Refusal("notAllowed", "门店已停业，不能预订");
  if (input.moveInDay < act.today) throw invalid({ field: "moveInDay", msg: "入住日不能早于今天" });
  const tooLong = holdRefusal(input.holdUntil, act.today, act.today, rules.maxDays);
  if (tooLong) throw invalid({ field: "holdUntil", msg: tooLong });
  const room = await roomOf(act, input.roomId, villageId);
  await refuseHeldOver(act, input.roomId);
  const party = await partyFor(act, input, rules.enterpriseId);
  await refuseBlacklisted(act, party.id);
  const brought = await agentOf(act, input.agentId, party, rules.enterpriseId);
  await linkParty(act, party.id, villageId, "reservation");
  const [number] = await act.numbers("YD");
  const onlyPaid = rules.unpaidMinutes === 0 && input.earnest > 0;
  const payUntil = payBy(act, onlyPaid ? 0 : rules.unpaidMinutes, input.holdUntil);
  const { id } = await act.tx
    .insertInto("reservation")
    .values({
      number: number!,
      enterpriseId: rules.enterpriseId,
      villageId,
      leadId: party.leadId,
      partyId: party.id,
      roomId: input.roomId,
      moveInDay: input.moveInDay,
      plannedEndDay: input.plannedEndDay ?? null,
      holdUntil: input.holdUntil,
      rent: input.rent,
      unit: input.unit,
      payPlan: input.payPlan ?? null,
      earnestKind: input.earnestKind,
      earnest: input.earnest,
      ...brought,
      ownerId: act.who.operatorId,
      remark: input.remark,
      payUntil,
      createdAt: act.now,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const made = {
    id,
    roomId: input.roomId,
    moveInDay: input.moveInDay,
    plannedEndDay: input.plannedEndDay ?? null,
  };
  if (!onlyPaid) await takeRoom(act, made);
  if (input.earnest > 0) {
    const bill = await billEarnest(act, {
      villageId,
      roomId: input.roomId,
      partyId: party.id,
      sourceId: id,
      amount: input.earnest,
      dueDate: act.today,
      title: `${input.earnestKind} ${number}`,
    });
    await act.tx.updateTable("reservation").set({ billId: bill.id }).where("id", "=", id).execute();
  }
  const record = (await readReservation(act, id))!;
  const until = input.earnest ? `，${input.earnestKind} ${yuan(input.earnest)} 元` : "";
  await noteReservation(
    act,
    record,
    "预订",
    `${party.name} 预订 ${room.name}，${input.moveInDay} 入住，保留至 ${input.holdUntil}${until}`,
  );
  const under = await below(act, input.roomId, input.moveInDay, input);
  const waiting = under ? await proposeBelow(act, record, under) : null;
  if (!waiting && input.earnest === 0) await becomeHeld(act, record);
  return { id, number: number!, waiting };
}
