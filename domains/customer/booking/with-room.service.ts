import type { z } from "zod";
import { addDays } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { priceAt } from "../../listing/room/room.service.ts";
import { reserve } from "../reservation/create.service.ts";
import { USUAL_DAYS } from "../reservation/reservation.rules.ts";
import type { leadAndRoom } from "./with-room.contract.ts";
import { createLead } from "../lead/lead.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

type Typed = z.output<typeof leadAndRoom>;

/** An enquiry whose customer takes a room at once: both are there, or neither. */
export async function createWithRoom(
  act: Act,
  { roomId, plannedEndDay, rent, holdUntil, earnestKind, earnest, ...lead }: Typed,
): Promise<{ id: number; number: string; reservationId: number | null }> {
  const made = await createLead(act, lead);
  if (!roomId) return { ...made, reservationId: null };
  const row = await aRow(act, "room", ["villageId"], { id: roomId });
  const { villageId } = seen(act.who, row);
  const moveInDay = lead.moveInDay ?? act.today;
  const price = (await priceAt(act, [roomId], moveInDay)).get(roomId);
  const agreed = rent ?? price?.listPrice;
  if (!agreed) throw invalid({ field: "rent", msg: "请输入租金" });
  const reservation = await reserve(act, {
    leadId: made.id,
    name: "",
    phone: "",
    villageId,
    roomId,
    moveInDay,
    plannedEndDay,
    rent: agreed,
    unit: price?.unit ?? "month",
    holdUntil: holdUntil ?? addDays(act.today, USUAL_DAYS),
    earnestKind,
    earnest: earnest ?? 0,
    agentId: lead.source === "agent" ? (lead.agentId ?? null) : null,
    remark: "",
  });
  return { ...made, reservationId: reservation.id };
}
