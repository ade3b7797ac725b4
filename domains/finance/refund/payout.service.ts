import { randomUUID } from "node:crypto";
import { Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { FileReply } from "../../../platform/kernel/call.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { moveRefund, noteRefund } from "./note.service.ts";
import { lockRefund, type Refund } from "./record.queries.ts";
import { REFUND_MOVES } from "./refund.rules.ts";

const HEAD = ["序号", "退款单号", "收款人", "开户行", "收款账号", "金额（元）", "用途"];
/** A sheet would take text that begins so for a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
/** With a tab before it a sheet keeps every digit. */
const digits = (text: string): string => `"\t${text}"`;

/** Payments for the bank, as its counter's upload takes them. What stands in the file is under way from then on. */
export async function payoutFileOf(
  act: Act,
  items: readonly { id: number; version: number }[],
): Promise<FileReply> {
  const refunds: Refund[] = [];
  for (const { id, version } of items.toSorted((a, b) => a.id - b.id)) {
    const r = await lockRefund(act, id);
    if (r.version !== version) throw stale();
    const why = REFUND_MOVES.refusal("file", r);
    if (why) throw new Refusal("notAllowed", `${r.refundNo} ${why}`);
    refunds.push(r);
  }
  const no = randomUUID().slice(0, 8);
  const rows = refunds.map((r, i) => {
    const account = act.cipher.open(r.payeeAccount!);
    const yuan = ((r.amount - r.paid) / 100).toFixed(2);
    const texts = [cell(r.payeeName), cell(r.payeeBank), digits(account)];
    return [i + 1, cell(r.refundNo), ...texts, yuan, cell(`退款${r.refundNo}`)].join(",");
  });
  for (const r of refunds) {
    await moveRefund(act, r, REFUND_MOVES.next("file", r), { filedAt: act.now.toISOString() });
    await noteRefund(act, r, "导出付款文件", `付款文件 ${act.today}-${no}，共 ${refunds.length} 笔`);
  }
  return {
    name: `退款付款文件_${act.today}_${no}.csv`,
    type: "text/csv; charset=utf-8",
    body: `\uFEFF${[HEAD.join(","), ...rows].join("\r\n")}\r\n`,
  };
}
