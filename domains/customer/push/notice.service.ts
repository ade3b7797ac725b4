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

/** What the send log calls a message that another domain wrote to a customer. */
const WRITTEN: Record<string, string> = {
  notice: "业务通知",
  invoice: "发票通知",
  statement: "对账单",
  code: "验证码",
};
/** The digits are nowhere but in the message itself. */
const CODE_TEXT = "短信验证码：••••••";

/** Payment links, reminders by hand, pages to sign, codes: what went to a customer without a notice stands in the send log, too. */
export async function logWritten(act: Act, outboxId: number): Promise<void> {
  const row = await act.tx
    .selectFrom("outbox as o")
    .selectAll()
    .where("id", "=", outboxId)
    .where("partyId", "is not", null)
    .where("villageId", "is not", null)
    .where("source", "in", Object.keys(WRITTEN))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("pushRecipient").select("id").whereRef("outboxId", "=", "o.id"))),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const { productTitle } = await brandOf(act.settings.BRAND);
  const body = row.source === "code" ? CODE_TEXT : row.body.slice(0, 2000);
  await act.tx
    .insertInto("pushRecipient")
    .values({
      notice: WRITTEN[row.source]!,
      partyId: row.partyId,
      channel: row.channel,
      villageId: row.villageId!,
      addressCipher: act.cipher.seal(row.recipient),
      body,
      parts: row.channel === "sms" ? smsParts(body, productTitle) : 0,
      state: "handed",
      outboxId,
      madeAt: row.createdAt,
    })
    .execute();
}
