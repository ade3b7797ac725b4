import { isMobile } from "../../../platform/kernel/contact.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { sendNotices } from "../push/notice.service.ts";
import type { Reservation } from "./record.queries.ts";

/** The customer hears by text message what became of the room that is kept for them, each thing once. */
export async function tellCustomer(
  act: Act,
  of: Pick<Reservation, "id" | "villageId">,
  body: string,
  once: string,
): Promise<void> {
  const party = await act.tx
    .selectFrom("reservation as r")
    .innerJoin("party as p", "p.id", "r.partyId")
    .select(["p.id", "p.phone", "p.enterpriseId"])
    .where("r.id", "=", of.id)
    .executeTakeFirst();
  // the main contact of a firm may have a landline alone
  if (!party || !isMobile(party.phone)) return;
  await sendNotices(act, [
    {
      notice: "预订通知",
      channel: "sms",
      recipient: party.phone,
      body,
      source: "notice",
      sourceId: of.id,
      partyId: party.id,
      villageId: of.villageId,
      enterpriseId: party.enterpriseId,
      once: `${once}.customer`,
    },
  ]);
}
