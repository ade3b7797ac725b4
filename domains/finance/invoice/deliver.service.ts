import { yuan } from "../../../platform/kernel/fen.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { type Outgoing, sendOut } from "../../access/sms/sms.service.ts";
import { quietMinutes } from "../../system/message/message.rules.ts";
import { type Invoice, lockInvoice, readInvoice } from "./invoice.queries.ts";
import { INVOICE_MOVES } from "./invoice.rules.ts";
import { noteInvoice } from "./keep.service.ts";

/** Automatic messages wait for the morning. */
const QUIET = ["21:00", "08:30"] as const;

type To = { mobile: string; email: string; fileId: number | undefined; once?: string };

/** What its buyer reads of an invoice; of a red letter what is taken back of which invoice. */
async function wordsOf(act: Act, { invoiceNo, amount, redOfId }: Invoice) {
  const blue = redOfId === null ? undefined : await readInvoice(act, redOfId);
  return blue
    ? {
        subject: `红字发票 ${invoiceNo}`,
        said: `您的发票 ${blue.invoiceNo} 已红冲 ${yuan(amount)} 元，红字发票 ${invoiceNo}`,
      }
    : { subject: `发票 ${invoiceNo}`, said: `您的发票 ${invoiceNo} 已开具，价税合计 ${yuan(amount)} 元` };
}

/** Sends an invoice to whom it is for, with its paper by e-mail; without `once` at once, by itself not at night. */
export async function deliver(
  act: Act,
  invoice: Invoice,
  { mobile, email, fileId, once }: To,
): Promise<void> {
  const { subject, said } = await wordsOf(act, invoice);
  const clock = timeInZone(act.now, act.settings.TIME_ZONE).slice(11, 16);
  const quiet = once ? quietMinutes(clock, ...QUIET) : 0;
  const shared = {
    source: "invoice" as const,
    sourceId: invoice.id,
    partyId: invoice.partyId,
    villageId: invoice.villageId,
    enterpriseId: invoice.enterpriseId,
    ...(quiet > 0 && { dueAt: new Date(act.now.getTime() + quiet * 60_000) }),
  };
  const messages: Outgoing[] = [
    ...(mobile
      ? [
          {
            ...shared,
            channel: "sms" as const,
            recipient: mobile,
            body: said,
            template: act.settings.SMS_NOTICE_TEMPLATE ?? FREE_TEXT,
            params: { title: said },
            ...(once && { once: `${once}.sms` }),
          },
        ]
      : []),
    ...(email
      ? [
          {
            ...shared,
            channel: "email" as const,
            recipient: email,
            subject,
            body: `${said}，见附件。`,
            ...(fileId && { fileId }),
            ...(once && { once: `${once}.mail` }),
          },
        ]
      : []),
  ];
  if (!messages.length) return;
  await sendOut(act, messages);
  await noteInvoice(act, invoice, "发送发票", [mobile && "短信", email && "邮件"].filter(Boolean).join("、"));
}

/** Sends it again, to the same or another address. */
export async function send(act: Act, id: number, to: { mobile: string; email: string }): Promise<void> {
  const invoice = await lockInvoice(act, id);
  INVOICE_MOVES.next("send", invoice);
  const file = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("targetKind", "=", "invoice")
    .where("targetId", "=", id)
    .where("type", "=", "application/pdf")
    .executeTakeFirst();
  if (to.email && !file) throw new Refusal("notAllowed", "发票文件尚未取得，请稍后再发送");
  await deliver(act, invoice, { ...to, fileId: file?.id });
}
