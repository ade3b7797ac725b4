import { sql, type Updateable } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { maskBank } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, LogEntry } from "../../../platform/server/pipeline/act.ts";
import type { Invoice } from "./invoice.queries.ts";
import type { InvoiceState } from "./invoice.rules.ts";

export const CHANGED = "可开票金额已变化";
constraintSays("bill_line_invoice", { code: "changed", msg: CHANGED });
constraintSays("invoice_number", { field: "invoiceNo", msg: "该发票号码已登记" });

/** The same line on the timelines of the invoice, its bills and its customer. */
export async function noteInvoice(
  act: Act,
  of: Pick<Invoice, "id" | "applyNo" | "villageId" | "partyId">,
  action: string,
  summary: string,
): Promise<void> {
  const entry = { number: of.applyNo, villageId: of.villageId, action };
  const { rows: bills } = await sql<{ id: number; billNo: string }>`
    select distinct b.id, b.bill_no "billNo" from invoice_line y join bill b on b.id = y.bill_id
    where y.invoice_id = ${of.id} order by b.id`.execute(act.tx);
  const party = await aRow(act, "party", ["kind"], { id: of.partyId });
  const said = `发票 ${of.applyNo} ${summary}`;
  await act.note([
    { ...entry, kind: "invoice", recordId: of.id, summary },
    ...bills.map((bill): LogEntry => ({
      ...entry,
      kind: "bill",
      recordId: bill.id,
      number: bill.billNo,
      summary: said,
    })),
    { ...entry, kind: party!.kind, recordId: of.partyId, summary: said },
  ]);
}

/** What an invoice does to the sums of its lines: what is held, and what is invoiced. */
export async function keep(
  act: Act,
  parts: readonly { billLineId: number; amount: Fen }[],
  held: -1 | 0 | 1,
  invoiced: -1 | 0 | 1,
): Promise<void> {
  const rows = JSON.stringify(parts);
  await sql`
    with x as (select "billLineId" id, sum(amount)::bigint fen
      from json_to_recordset(${rows}::json) r("billLineId" bigint, amount bigint) group by 1),
    kept as (update bill_line l set invoicing = l.invoicing + ${held} * x.fen, invoiced = l.invoiced + ${invoiced} * x.fen
      from x where l.id = x.id returning l.bill_id, x.fen)
    update bill b set invoicing = b.invoicing + ${held} * k.fen, invoiced = b.invoiced + ${invoiced} * k.fen
    from (select bill_id, sum(fen)::bigint fen from kept group by 1) k where b.id = k.bill_id`.execute(
    act.tx,
  );
}

type Columns = Omit<Updateable<DB["invoice"]>, "id" | "state" | "version">;

/** Writes the next state of a locked invoice. */
export async function moveInvoice(
  act: Act,
  invoice: Invoice,
  state: InvoiceState,
  set: Columns = {},
): Promise<void> {
  await act.tx
    .updateTable("invoice")
    .set({ ...set, state, version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", invoice.id)
    .execute();
  invoice.status = state;
  invoice.version += 1;
}

/** The account of a buyer that came back as it was shown, masked: the one it was shown from, of the party's titles or what stood there. */
export async function wholeAccount(
  act: Act,
  partyId: number,
  given: string,
  stood: readonly string[] = [],
): Promise<string> {
  if (!given.includes("**")) return given;
  const titles = await act.tx
    .selectFrom("invoiceTitle")
    .select(["bank", "account"])
    .where("partyId", "=", partyId)
    .orderBy("isDefault", "desc")
    .orderBy("id")
    .execute();
  const known = [...stood, ...titles.map(accountOf)].find((account) => maskBank(account) === given);
  if (known === undefined) throw invalid({ field: "bankAccount", msg: "请重新填写开户行账号" });
  return known;
}
export const accountOf = (title: { bank: string; account: string }): string =>
  `${title.bank} ${title.account}`.trim();
