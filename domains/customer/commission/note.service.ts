import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";

type Noted = { id: number; number: string; villageId: number };

export const noteCommission = (act: Act, of: Noted, action: string, summary: string): Promise<void> =>
  act.note({
    kind: "commission",
    recordId: of.id,
    number: of.number,
    villageId: of.villageId,
    action,
    summary,
  });

/** Whoever looks after the customer hears what the customer's agent gets. */
export const tellOwner = async (
  act: Act,
  of: Noted & { ownerId: number | null },
  title: string,
  content: string,
  once: string,
): Promise<void> => {
  if (!of.ownerId) return;
  await tell(act, {
    to: [of.ownerId],
    type: 4,
    title,
    content,
    bizType: "commission",
    bizId: of.id,
    villageId: of.villageId,
    once,
  });
};
