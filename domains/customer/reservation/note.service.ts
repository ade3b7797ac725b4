import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { addEvent, noteLead } from "../lead/lead.service.ts";
import type { Reservation } from "./record.queries.ts";

type Noted = Pick<Reservation, "id" | "number" | "villageId" | "roomId" | "leadId">;

/** The same line on the timelines of the reservation, its room and its lead. */
export async function noteReservation(
  act: Act,
  of: Noted,
  action: string,
  summary: string,
  more: { before?: object; after?: object } = {},
): Promise<void> {
  const entry = { number: of.number, villageId: of.villageId, action, summary };
  await act.note([
    { ...entry, ...more, kind: "reservation", recordId: of.id },
    { ...entry, kind: "room", recordId: of.roomId },
  ]);
  if (!of.leadId) return;
  const lead = await act.tx
    .selectFrom("lead")
    .select(["id", "number", "villageIds"])
    .where("id", "=", of.leadId)
    .executeTakeFirst();
  if (!lead) return;
  await addEvent(act, [lead.id], { kind: "system", content: `${of.number} ${summary}` });
  await noteLead(act, lead, { action, summary: `${of.number} ${summary}` });
}

/** Its owner hears of what happens without them. */
export const tellOwner = (
  act: Act,
  of: Pick<Reservation, "id" | "number" | "villageId" | "ownerId">,
  title: string,
  content: string,
  once?: string,
): Promise<void> =>
  tell(act, {
    to: [of.ownerId],
    type: 4,
    title,
    content,
    bizType: "reservation",
    bizId: of.id,
    villageId: of.villageId,
    ...(once && { once }),
  });
