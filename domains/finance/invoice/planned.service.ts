import { sql } from "kysely";
import type { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { layOn, taxOf, taxOfChange } from "../bill/bill.rules.ts";
import { readBills } from "../bill/bills.queries.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { billNote } from "../bill/keep.service.ts";
import { confChanged, confSeen, itemsOf } from "../einvoice/conf.queries.ts";
import type { previewRate } from "../einvoice/einvoice.contract.ts";
import { inForce, taxedBy } from "../einvoice/einvoice.rules.ts";
import { type Taxed, taxWord } from "../subject/subject.rules.ts";

/** Bills whose tax is changed in one act. */
const MOST = 20_000;
type Asked = { feeSubjectId: number; fromDay: string };
type Change = { bill: Bill; lineId: number; amount: number; before: number; after: number };

/** The taxes of the lines of a subject on one bill at another rate: a line and its corrections carry the tax of what is left. */
function taxesOf(bill: Bill, feeSubjectId: number, taxed: Taxed): Map<number, number> {
  const own = bill.lines.filter((l) => l.feeSubjectId === feeSubjectId);
  const bearers = own
    .filter((l) => l.kind === "normal" || l.kind === "lateFee")
    .map((l) => ({ ...l, ...taxed, net: l.amount, taken: 0 }));
  const taxes = new Map(bearers.map((b) => [b.id, taxOf(b.net, taxed)]));
  for (const line of own) {
    if (taxes.has(line.id)) continue;
    const on = line.adjustsLineId ? bearers.filter((b) => b.id === line.adjustsLineId) : bearers;
    let tax = 0;
    for (const part of layOn(on, line.amount) ?? []) {
      const bearer = on.find((b) => b.id === part.lineId)!;
      tax += taxOfChange(bearer.net, part.amount, taxed);
      bearer.net += part.amount;
    }
    taxes.set(line.id, tax);
  }
  return taxes;
}

/** Lines of planned bills whose rate is another than that in force: what their tax becomes. */
async function planned(read: Read, confId: number, asked: Asked, how: { lock: boolean; most?: number }) {
  const { feeSubjectId, fromDay } = asked;
  const { lock, most = MOST } = how;
  const items = (await itemsOf(read, [confId])).get(confId) ?? [];
  const item = inForce(items, feeSubjectId, fromDay);
  const taxed = item && taxedBy(item);
  if (!taxed) throw new Refusal("notAllowed", "该科目在此日没有开票税率");
  const { rows } = await sql<{ id: number }>`
    select distinct b.id from bill b join bill_line l on l.bill_id = b.id
    where b.issued_at is null and b.voided_at is null and b.direction = 'receivable' and b.issue_date >= ${fromDay}
      and b.village_id in (select village_id from einvoice_village where config_id = ${confId})
      and l.fee_subject_id = ${feeSubjectId}
      and (l.tax_mode <> ${taxed.taxMode} or l.tax_rate <> ${taxed.taxRate}::numeric)
    order by b.id limit ${most + 1}`.execute(read.tx);
  const bills = await readBills(
    read,
    rows.slice(0, most).map((row) => row.id),
    { lock },
  );
  const changes = bills
    .filter((bill) => !bill.issuedAt && !bill.voidedAt)
    .flatMap((bill): Change[] => {
      const taxes = taxesOf(bill, feeSubjectId, taxed);
      return bill.lines.flatMap((line) => {
        const after = taxes.get(line.id);
        return after === undefined
          ? []
          : [{ bill, lineId: line.id, amount: line.amount, before: line.tax, after }];
      });
    });
  const sum = (of: (c: Change) => number) => changes.reduce((total, c) => total + of(c), 0);
  const preview: z.input<typeof previewRate.reply> = {
    rate: taxWord(taxed),
    more: rows.length > most,
    bills: new Set(changes.map((c) => c.bill.id)).size,
    lines: changes.length,
    amount: sum((c) => c.amount),
    before: sum((c) => c.before),
    after: sum((c) => c.after),
    hash: basisHash([taxed, changes.map((c) => [c.lineId, c.amount, c.after])]),
  };
  return { preview, changes, taxed };
}

export async function ratePreview(read: Read, confId: number, asked: Asked, most?: number) {
  await confSeen(read, confId);
  return (await planned(read, confId, asked, { lock: false, ...(most && { most }) })).preview;
}

/** Gives lines of planned bills the rate in force; their amounts stay. What is issued never changes. */
export async function takeRate(
  act: Act,
  confId: number,
  { previewHash, ...asked }: Asked & { previewHash: string },
): Promise<{ lines: number; more: boolean }> {
  await confChanged(act, confId);
  const { preview, changes, taxed } = await planned(act, confId, asked, { lock: true });
  if (preview.hash !== previewHash)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });
  await sql`update bill_line l set tax_mode = ${taxed.taxMode}, tax_rate = ${taxed.taxRate}, tax = r.tax
    from json_to_recordset(${JSON.stringify(changes.map((c) => ({ id: c.lineId, tax: c.after })))}::json)
      r(id bigint, tax bigint) where l.id = r.id`.execute(act.tx);
  await act.note(
    [...new Set(changes.map((c) => c.bill))].map((bill) =>
      billNote(bill, "调整税率", `未出账费用改按${taxWord(taxed)}计税，含税金额不变`),
    ),
  );
  return { lines: changes.length, more: preview.more };
}
