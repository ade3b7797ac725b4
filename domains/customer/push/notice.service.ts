import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { enqueue, type Outgoing } from "../../access/sms/sms.service.ts";
import { smsParts } from "../../system/template/template.rules.ts";
import { outboxFilled } from "../../access/sms/sms.contract.ts";

/** 预订通知, 看房提醒, 对账单: what the send log calls it. */
export type Notice = Omit<Outgoing, "once" | "villageId"> & {
  notice: string;
  once: string;
  villageId: number;
  /** Whoever is no registered customer. */
  receiver?: string;
};

/** Messages to customers about affairs of their own: each goes out once, at once, and stands in the send log. */
export async function sendNotices(act: Act, notices: readonly Notice[]): Promise<void> {
  const { productTitle } = await brandOf(act.settings.BRAND);
  for (const { notice, receiver = "", ...outgoing } of notices) {
    const [outboxId] = await enqueue(act, [outgoing]);
    if (outboxId === undefined) continue;
    const { channel, recipient, body, partyId, villageId } = outgoing;
    await act.tx
      .insertInto("pushRecipient")
      .values({
        notice,
        receiver,
        partyId: partyId ?? null,
        channel,
        villageId,
        addressCipher: act.cipher.seal(recipient),
        body: body.slice(0, 2000),
        parts: channel === "sms" ? smsParts(body, productTitle) : 0,
        state: "handed",
        outboxId,
        madeAt: act.now.toISOString(),
      })
      .execute();
    await act.emit(outboxFilled, { id: outboxId });
  }
}
