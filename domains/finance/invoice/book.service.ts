import { sql } from "kysely";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { tell } from "../../system/message/message.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import type { Told } from "../einvoice/einvoice.rules.ts";
import { post } from "../journal/journal.service.ts";
import { type Invoice, type InvoiceLine, linesOf, readInvoice } from "./invoice.queries.ts";
import { INVOICE_MOVES, taxEntry } from "./invoice.rules.ts";
import { invoiceDue } from "./invoice.contract.ts";
import { keep, moveInvoice, noteInvoice } from "./keep.service.ts";

/** How long a buyer has to agree to a red letter. */
const CONFIRM_MS = 72 * 3_600_000;

type Moved = { id: number; invoiced: Fen; posted: Fen; declared: Fen };

/**
 * What the tax of lines does to the ledger: never more of a line is moved than is not declared yet (E23), and a red letter brings
 * back no more than was moved.
 */
async function declaredOf(
  act: Act,
  invoice: Invoice,
  lines: readonly InvoiceLine[],
): Promise<Map<number, Fen>> {
  const { rows } = await sql<Moved>`
    select l.id, coalesce(t.fen, 0)::bigint invoiced, coalesce(j.posted, 0)::bigint posted,
      coalesce(j.declared, 0)::bigint declared
    from bill_line l left join lateral (
      select sum(case i.direction when 'blue' then y.tax else -y.tax end) fen
      from invoice_line y join invoice i on i.id = y.invoice_id
      where y.bill_line_id = l.id and i.state in ('issued', 'partRed', 'red')) t on true
    left join lateral (
      select sum(x.debit - x.credit) filter (where e.event = 'E22') posted,
        sum(x.debit - x.credit) filter (where e.event = 'E23') declared
      from journal_line x join journal_entry e on e.id = x.entry_id
      where x.bill_id = l.bill_id and x.bill_line_id = l.id and x.account = '2222') j on true
    where l.id = ${anyOf([...new Set(lines.map((l) => l.billLineId))])}`.execute(act.tx);
  const at = new Map(rows.map((row) => [row.id, { ...row }]));
  const red = invoice.direction === "red";
  return new Map(
    lines.map((line) => {
      const now = at.get(line.billLineId)!;
      now.invoiced += red ? -line.tax : line.tax;
      const owed = Math.max(0, now.invoiced - now.declared);
      const moved = Math.max(0, Math.min(line.tax, red ? now.posted - owed : owed - now.posted));
      now.posted += red ? -moved : moved;
      return [line.id, line.tax - moved] as const;
    }),
  );
}

/** It is made: its lines are invoiced, its tax is payable (E22), and a red letter takes from the blue one. The invoice is locked. */
export async function bookIssued(
  act: Act,
  invoice: Invoice,
  told: { invoiceNo: string; issuedAt: string; files: boolean },
): Promise<void> {
  const state = INVOICE_MOVES.next(invoice.status === "issuing" ? "book" : "register", invoice);
  const lines = await linesOf(act, invoice.id);
  await lockBills(
    act,
    lines.map((l) => l.billId),
  );
  const red = invoice.direction === "red";
  const declared = await declaredOf(act, invoice, lines);
  await keep(act, lines, red ? 0 : -1, red ? -1 : 1);
  await sql`update invoice_line y set declared = r.declared
    from json_to_recordset(${JSON.stringify([...declared].map(([id, fen]) => ({ id, declared: fen })))}::json)
      r(id bigint, declared bigint) where y.id = r.id`.execute(act.tx);
  const at = new Date(Math.min(new Date(told.issuedAt).getTime(), act.now.getTime()));
  const issuedOn = dayInZone(at, act.settings.TIME_ZONE);
  await post(act, [
    taxEntry(
      invoice,
      lines.map((l) => ({
        tax: l.tax,
        declared: declared.get(l.id)!,
        feeSubjectId: l.feeSubjectId,
        contractId: l.contractId,
        billId: l.billId,
        billLineId: l.billLineId,
      })),
      issuedOn,
    ),
  ]);
  await moveInvoice(act, invoice, state, {
    invoiceNo: told.invoiceNo,
    tax: invoice.tax,
    issuedAt: at.toISOString(),
    issuedOn,
    failure: "",
    nextAskAt: null,
    filesDue: told.files,
  });
  if (red) await takeFrom(act, invoice, lines);
  await noteInvoice(
    act,
    invoice,
    red ? "红冲" : "开票",
    `${red ? "红票" : "发票"}号码 ${told.invoiceNo}，${yuan(invoice.amount)} 元，税额 ${yuan(invoice.tax)} 元`,
  );
  if (told.files) await act.emit(invoiceDue, { id: invoice.id });
}

async function takeFrom(act: Act, invoice: Invoice, lines: readonly InvoiceLine[]): Promise<void> {
  const blue = (await readInvoice(act, invoice.redOfId!))!;
  await sql`update invoice_line y set red_amount = y.red_amount + r.amount, red_tax = y.red_tax + r.tax
    from json_to_recordset(${JSON.stringify(lines.map((l) => ({ id: l.redLineId, amount: l.amount, tax: l.tax })))}::json)
      r(id bigint, amount bigint, tax bigint) where y.id = r.id`.execute(act.tx);
  const redAmount = blue.redAmount + invoice.amount;
  await moveInvoice(act, blue, redAmount === blue.amount ? "red" : "partRed", {
    redAmount,
    redTax: blue.redTax + invoice.tax,
    reding: blue.reding - invoice.amount,
  });
}

/** The invoice will not be made: releases what it held. */
export async function bookNotMade(act: Act, invoice: Invoice): Promise<void> {
  if (invoice.direction === "red") {
    await sql`update invoice set reding = reding - ${invoice.amount}, version = version + 1
      where id = ${invoice.redOfId}`.execute(act.tx);
    return;
  }
  const lines = await linesOf(act, invoice.id);
  await lockBills(
    act,
    lines.map((l) => l.billId),
  );
  await keep(act, lines, -1, 0);
}

/** Books what a driver reports of an invoice, once: later reports of the same outcome change nothing. */
export async function bookTold(act: Act, id: number, told: Told): Promise<void> {
  const invoice = await readInvoice(act, id, { lock: true });
  if (invoice?.status !== "issuing" || invoice.serialNo !== told.serialNo) return;
  if (told.confirm || told.outsideNo) {
    const waits = told.confirm && ["02", "03"].includes(told.confirm.state);
    await act.tx
      .updateTable("invoice")
      .set({
        ...(told.outsideNo && { outsideNo: told.outsideNo }),
        ...(told.confirm && {
          redConfirmNo: told.confirm.no,
          redConfirmState: told.confirm.state,
          redConfirmUntil: waits
            ? (invoice.redConfirmUntil ?? new Date(act.now.getTime() + CONFIRM_MS).toISOString())
            : null,
        }),
      })
      .where("id", "=", id)
      .execute();
  }
  if (told.state === "issued") return bookIssued(act, invoice, { ...told, files: true });
  if (told.state === "refused") await fail(act, invoice, told.reason || "开票服务商拒绝开具");
}

/** Refused for good: what it held is free, and who applied hears of it. */
export async function fail(act: Act, invoice: Invoice, why: string): Promise<void> {
  const failure = why.slice(0, 200);
  const state = INVOICE_MOVES.next("fail", invoice);
  await bookNotMade(act, invoice);
  await moveInvoice(act, invoice, state, { failure, nextAskAt: null });
  await noteInvoice(act, invoice, "开票失败", failure);
  if (invoice.createdBy)
    await tell(act, {
      to: [invoice.createdBy],
      type: 2,
      title: `${invoice.direction === "red" ? "红冲" : "开票"}失败：${invoice.title}`,
      content: `${invoice.applyNo} ${failure}。请在发票管理中修改后重试或取消。`,
      bizType: "invoice",
      bizId: invoice.id,
      villageId: invoice.villageId,
      once: `invoice.failed.${invoice.id}.${invoice.attempt}`,
    });
}
