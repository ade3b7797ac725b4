import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { allows } from "../../../platform/kernel/call.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  allOf,
  amongWords,
  fromDay,
  is,
  keyword,
  number,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import type { DriverKind, InvoiceKind } from "../einvoice/einvoice.rules.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { taxWord, type TaxMode } from "../subject/subject.rules.ts";
import { sendInvoice } from "./acts.contract.ts";
import { type InvoiceRow, type InvoiceWhole, listInvoices } from "./invoice.contract.ts";
import { type Direction, type InvoiceState, TABS } from "./invoice.rules.ts";
import { toRed } from "./lines.queries.ts";

const inTab = (tab: keyof typeof TABS) =>
  allOf([
    amongWords("i.state")(TABS[tab].states),
    ...(TABS[tab].direction ? [sql`i.direction = ${TABS[tab].direction}`] : []),
  ]);

/** A red letter counts below nothing wherever it is shown, sorted or summed. */
const SIGN = sql`case i.direction when 'red' then -1 else 1 end`;
const COLUMNS = sql<InvoiceRow>`i.id, i.apply_no "applyNo", i.invoice_no "invoiceNo", i.direction, i.kind,
  i.title_type "titleType", i.title, i.tax_no "taxNo", ${SIGN} * i.amount amount, ${SIGN} * i.net net, ${SIGN} * i.tax tax,
  i.state, i.red_amount "redAmount", i.reding,
  i.village_id "villageId", v.name "villageName", e.name "enterpriseName", i.party_id "partyId", p.kind "partyKind",
  p.name "partyName", case when i.by_itself then '自动开票' else coalesce(o.real_name, '系统') end applicant,
  i.created_at "createdAt", i.issued_at "issuedAt", coalesce(nullif(i.end_reason, ''), i.failure) reason, i.driver,
  exists (select from examine x where x.target_kind = 'invoice' and x.target_id = i.id and x.state = 'approving') frozen,
  coalesce((select array_agg(right(type, 3) order by type) from stored_file
    where target_kind = 'invoice' and target_id = i.id), '{}') files, i.version`;
const JOIN = sql`join village v on v.id = i.village_id join enterprise e on e.id = i.enterprise_id
  join party p on p.id = i.party_id left join operator o on o.id = i.created_by`;

const STANDING = sql`filter (where i.state not in ('rejected', 'cancelled'))`;

/** Invoices and applications, the newest first. */
export const invoices = listOf(listInvoices, {
  id: "i.id",
  from: sql`invoice i`,
  village: "i.village_id",
  where: {
    tab: (tab) => (tab === "all" ? undefined : inTab(tab)),
    enterpriseId: is("i.enterprise_id"),
    kind: is("i.kind"),
    state: amongWords("i.state"),
    issuedFrom: fromDay("i.issued_at"),
    issuedTo: toDay("i.issued_at"),
    titleType: is("i.title_type"),
    partyId: is("i.party_id"),
    keyword: keyword(
      (text) => sql`i.title ilike ${containing(text)}`,
      number("i.apply_no"),
      (text) => (/^[0-9A-Za-z]{8,20}$/.test(text) ? sql`i.tax_no = ${text.toUpperCase()}` : undefined),
      (text) => (/^\d{8,20}$/.test(text) ? sql`i.invoice_no = ${text}` : undefined),
    ),
  },
  sort: {
    createdAt: { by: "i.created_at", indexed: true },
    issuedAt: "i.issued_at",
    amount: sql`${SIGN} * i.amount`,
  },
  order: "createdAt",
  columns: COLUMNS,
  join: sql`join invoice i on i.id = page.id ${JOIN}`,
  sums: {
    // what red letters take back counts against what they take it from; what was rejected or cancelled is no invoice
    select: sql`safe_fen(coalesce(sum(${SIGN} * i.amount) ${STANDING}, 0)) amount,
      safe_fen(coalesce(sum(${SIGN} * i.tax) ${STANDING}, 0)) tax`,
  },
});

/** The count of each tab, of lines and of invoices. */
export async function tabCounts(
  read: Read,
  filter: { villageIds?: number[] },
): Promise<Record<string, number>> {
  const scope = filter.villageIds?.length ? { villageIds: [...villagesOf(read.who, filter.villageIds)] } : {};
  const [counts, over] = await Promise.all([
    invoices.counts(read, scope, {
      all: sql`true`,
      ...Object.fromEntries(Object.keys(TABS).map((key) => [key, inTab(key as keyof typeof TABS)])),
    }),
    toRed.counts(read, scope, { toRed: sql`true` }),
  ]);
  return { ...counts, ...over };
}

/** An invoice as acts work with it. */
export type Invoice = {
  id: number;
  applyNo: string;
  direction: Direction;
  kind: InvoiceKind;
  carrier: "digital" | "paper";
  enterpriseId: number;
  configId: number;
  villageId: number;
  partyId: number;
  driver: DriverKind;
  titleType: "company" | "person";
  title: string;
  taxNo: string;
  addressPhone: string;
  bankAccount: string;
  receiverMobile: string;
  receiverEmail: string;
  amount: Fen;
  tax: Fen;
  leaseAddress: string;
  leaseStart: string | null;
  leaseEnd: string | null;
  crossCity: boolean;
  certificateNo: string;
  areaUnit: string;
  remark: string;
  status: InvoiceState;
  serialNo: string;
  attempt: number;
  outsideNo: string;
  sentAt: string | null;
  asked: number;
  failure: string;
  invoiceNo: string | null;
  issuedAt: string | null;
  filesDue: boolean;
  redOfId: number | null;
  redReason: "01" | "02" | "03" | "04" | null;
  redConfirmNo: string;
  redConfirmUntil: string | null;
  redAmount: Fen;
  redTax: Fen;
  reding: Fen;
  byItself: boolean;
  createdBy: number | null;
  version: number;
};

/** By its id. With `lock` it is held until the end, after the blue one that it takes back: these two always in this order. */
export async function readInvoice(
  read: Pick<Read, "tx">,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<Invoice | undefined> {
  if (lock)
    await sql`select from invoice where id = ${id} or id = (select red_of_id from invoice where id = ${id})
      order by id for update`.execute(read.tx);
  const { rows } = await sql<Invoice>`
    select i.id, i.apply_no "applyNo", i.direction, i.kind, i.carrier, i.enterprise_id "enterpriseId",
      i.config_id "configId", i.village_id "villageId", i.party_id "partyId", i.driver, i.title_type "titleType", i.title,
      i.tax_no "taxNo", i.address_phone "addressPhone", i.bank_account "bankAccount",
      i.receiver_mobile "receiverMobile", i.receiver_email "receiverEmail", i.amount, i.tax,
      i.lease_address "leaseAddress", i.lease_start "leaseStart", i.lease_end "leaseEnd", i.cross_city "crossCity",
      i.certificate_no "certificateNo", i.area_unit "areaUnit", i.remark, i.state status, i.serial_no "serialNo",
      i.attempt, i.outside_no "outsideNo", i.sent_at "sentAt", i.asked, i.failure, i.invoice_no "invoiceNo",
      i.issued_at "issuedAt", i.files_due "filesDue", i.red_of_id "redOfId", i.red_reason "redReason",
      i.red_confirm_no "redConfirmNo", i.red_confirm_until "redConfirmUntil", i.red_amount "redAmount",
      i.red_tax "redTax", i.reding, i.by_itself "byItself", i.created_by "createdBy", i.version
    from invoice i where i.id = ${id}`.execute(read.tx);
  return rows[0];
}

/** The invoice when it lies in scope; every act locks it first. */
export const lockInvoice = async (read: Read, id: number): Promise<Invoice> =>
  seen(read.who, await readInvoice(read, id, { lock: true }));

export type InvoiceLine = {
  id: number;
  seq: number;
  billId: number;
  billLineId: number;
  redLineId: number | null;
  feeSubjectId: number;
  contractId: number | null;
  amount: Fen;
  tax: Fen;
  itemCode: string;
  itemName: string;
  taxMode: "rate" | "reduced15" | "exempt";
  taxRate: string;
  policy: string;
  element: "none" | "lease";
  redAmount: Fen;
  redTax: Fen;
};

export async function linesOf(read: Pick<Read, "tx">, invoiceId: number): Promise<InvoiceLine[]> {
  const { rows } = await sql<InvoiceLine>`
    select id, seq, bill_id "billId", bill_line_id "billLineId", red_line_id "redLineId",
      fee_subject_id "feeSubjectId", contract_id "contractId", amount, tax, item_code "itemCode", item_name "itemName",
      tax_mode "taxMode", tax_rate "taxRate", policy, element, red_amount "redAmount", red_tax "redTax"
    from invoice_line where invoice_id = ${invoiceId} order by seq`.execute(read.tx);
  return rows;
}

type Head = Omit<InvoiceWhole, keyof InvoiceRow | "lines" | "reds" | "entries" | "log">;
export async function invoiceDetail(read: Read, id: number): Promise<InvoiceWhole> {
  const row = await invoices.one(read, id);
  const { rows } = await sql<Head>`
    select i.carrier, i.address_phone "addressPhone", i.bank_account "bankAccount", i.receiver_mobile "receiverMobile",
      i.receiver_email "receiverEmail", i.lease_address "leaseAddress", i.lease_start "leaseStart",
      i.lease_end "leaseEnd", i.cross_city "crossCity", i.certificate_no "certificateNo", i.area_unit "areaUnit",
      i.remark, i.serial_no "serialNo", c.seller_name "sellerName", i.red_of_id "redOfId", b.invoice_no "redOfNo",
      i.red_reason "redReason", i.red_confirm_no "redConfirmNo", i.red_confirm_state "redConfirmState",
      i.red_confirm_until "redConfirmUntil"
    from invoice i join einvoice_config c on c.id = i.config_id left join invoice b on b.id = i.red_of_id
    where i.id = ${id}`.execute(read.tx);
  const lined = await sql<InvoiceWhole["lines"][number] & { mode: TaxMode | "exempt"; rate: string }>`
    select y.id, y.bill_id "billId", b.bill_no "billNo", s.name subject, y.item_name "itemName", y.item_code "itemCode",
      y.tax_mode "taxMode", y.tax_mode mode, y.tax_rate rate, ${SIGN} * y.amount amount, ${SIGN} * y.tax tax,
      y.red_amount "redAmount"
    from invoice_line y join invoice i on i.id = y.invoice_id join bill b on b.id = y.bill_id join fee_subject s on s.id = y.fee_subject_id
    where y.invoice_id = ${id} order by y.seq`.execute(read.tx);
  const reds = await sql<InvoiceWhole["reds"][number]>`
    select id, apply_no "applyNo", invoice_no "invoiceNo", amount, tax, state, created_at "createdAt"
    from invoice where red_of_id = ${id} order by id desc`.execute(read.tx);
  const head = rows[0]!;
  return {
    ...row,
    ...head,
    // whole for whom it is filled into a form
    ...(!allows(read.who.permits, sendInvoice.needs) && { receiverMobile: maskPhone(head.receiverMobile) }),
    lines: lined.rows.map(({ mode, rate, ...line }) => ({
      ...line,
      taxWord: mode === "exempt" ? "免税" : taxWord({ taxMode: mode, taxRate: rate }),
    })),
    reds: reds.rows,
    entries: await entriesShown(read, [{ type: "invoice", ids: [id] }]),
    log: await logOf(read, "invoice", id),
  };
}

/** The invoices of a bill, a contract or a customer, in the caller's villages. */
export async function invoicesAround(
  read: Read,
  {
    billId,
    contractId,
    partyId,
  }: { billId?: number | undefined; contractId?: number | undefined; partyId?: number | undefined },
): Promise<InvoiceRow[]> {
  if (!billId && !contractId && !partyId) throw notFound();
  const { rows } = await sql<{ id: number }>`
    select i.id from invoice i where i.village_id = ${anyOf(read.who.villages)} and ${
      partyId
        ? sql`i.party_id = ${partyId}`
        : sql`i.id in (select invoice_id from invoice_line where ${
            billId ? sql`bill_id = ${billId}` : sql`contract_id = ${contractId}`
          })`
    } order by i.id desc limit 200`.execute(read.tx);
  return invoices.rowsOf(
    read,
    rows.map((row) => row.id),
  );
}
