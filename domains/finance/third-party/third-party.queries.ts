import { sql } from "kysely";
import type { z } from "zod";
import type { Day, Month } from "../../../platform/kernel/day.ts";
import { keyword, among, amongWords, is, isOn, part } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { type SheetRow, type SummaryRow, type getSheet, listSheets, summary } from "./income.contract.ts";
import { type Terms, termsWord } from "./share.rules.ts";
import { type PartnerRow, type getPartner, listPartners } from "./third-party.contract.ts";
import { PARTNER_KINDS } from "./third-party.rules.ts";

/** Terms as they are kept. */
export type KeptTerms = { id: number; fromMonth: Month; terms: Terms; taxRate: string };
const TERMS = sql`t.id, t.from_month "fromMonth", t.tax_rate "taxRate",
  t.share_terms || jsonb_build_object('shareMode', t.share_mode) terms`;

/** The terms of a month; those of before the first are the first. */
export async function termsAt(
  read: Pick<Read, "tx">,
  thirdPartyId: number,
  month: Month,
): Promise<KeptTerms> {
  const { rows } = await sql<KeptTerms>`
    select ${TERMS} from third_party_terms t where t.third_party_id = ${thirdPartyId}
    order by t.from_month <= ${month} desc, case when t.from_month <= ${month} then t.from_month end desc, t.from_month
    limit 1`.execute(read.tx);
  return rows[0]!;
}

type Found = Omit<PartnerRow, "terms"> & { now: Terms };
const taxWord = (rate: string) => (Number(rate) ? `${Math.round(Number(rate) * 10_000) / 100}%` : "不征税");

/** Partners of which at least one store is the reader's; of their stores only those are named. */
export const partners = listOf(listPartners, {
  id: "t.id",
  from: sql`third_party t`,
  scope: (read, filter) =>
    sql`t.village_ids && ${villagesOf(read.who, filter.villageIds) as number[]}::bigint[]`,
  where: {
    kind: amongWords("t.kind"),
    state: (state) => isOn("t.enabled")(state === "enabled" ? "on" : "off"),
    ids: among("t.id"),
    keyword: keyword(part("t.name", "t.contact")),
  },
  sort: { name: "t.name" },
  order: sql`t.enabled desc, t.name`,
  columns: (read) => sql<Found>`t.id, t.name, t.kind, array(select v.id from village v
      where v.id = any(t.village_ids) and v.id = ${anyOf(read.who.villages)} order by v.id) "villageIds",
    (select string_agg(v.name, '、' order by v.id) from village v
      where v.id = any(t.village_ids) and v.id = ${anyOf(read.who.villages)}) "villageNames",
    t.contact, t.start_date "startDate", t.end_date "endDate",
    case when t.enabled then 'enabled' else 'disabled' end state,
    not t.village_ids <@ ${read.who.villages as number[]}::bigint[] beyond, t.version,
    (select s.share_terms || jsonb_build_object('shareMode', s.share_mode) from third_party_terms s
      where s.third_party_id = t.id
      order by s.from_month <= ${read.today.slice(0, 7)} desc,
        case when s.from_month <= ${read.today.slice(0, 7)} then s.from_month end desc, s.from_month limit 1) now`,
  join: sql`join third_party t on t.id = page.id`,
  rows: (found: Found[]) => found.map(({ now, ...row }) => ({ ...row, terms: termsWord(now) })),
});

export async function partnerDetail(read: Read, id: number): Promise<z.input<typeof getPartner.reply>> {
  const row = await partners.one(read, id);
  const { rows } = await sql<KeptTerms & { createdAt: string }>`
    select ${TERMS}, t.created_at "createdAt" from third_party_terms t where t.third_party_id = ${id}
    order by t.from_month desc`.execute(read.tx);
  return {
    ...row,
    history: rows.map((t) => ({
      id: t.id,
      fromMonth: t.fromMonth,
      shareMode: t.terms.shareMode,
      terms: termsWord(t.terms),
      tax: taxWord(t.taxRate),
      createdAt: t.createdAt,
    })),
    files: (await filesOf(read, "thirdParty", [id])).get(id) ?? [],
    log: await logOf(read, "thirdParty", id),
  };
}

const FILTER = {
  month: is("i.month"),
  thirdPartyId: is("i.third_party_id"),
  kind: amongWords("p.kind"),
  state: amongWords("i.state"),
};
const ON_BOOKS = sql`i.state not in ('draft', 'reversed')`;
/** What is owed to us of a sheet: nothing before it is confirmed, nothing after it is reversed. */
const OWED = sql`case when ${ON_BOOKS} then i.outstanding else 0 end`;
const STANDING = sql`filter (where i.state <> 'reversed')`;

/** Sheets, the newest month first. What was reversed is shown, and counts in no sum. */
export const sheets = listOf(listSheets, {
  id: "i.id",
  from: sql`third_party_income i join third_party p on p.id = i.third_party_id`,
  village: "i.village_id",
  where: FILTER,
  sort: {
    month: { order: (way) => sql`i.month ${way}, i.id ${way}`, way: "desc" },
    gross: "i.gross",
    share: "i.share",
    outstanding: { by: OWED },
  },
  order: "month",
  columns: sql<SheetRow>`i.id, i.sheet_no "sheetNo", i.village_id "villageId", v.name "villageName", i.month,
    i.third_party_id "thirdPartyId", p.name "partnerName", p.kind, i.gross, i.share_explain ->> 'formula' formula,
    i.share, i.tax, i.settled, ${OWED} outstanding, i.state, i.source,
    (select count(*)::int from stored_file f where f.target_kind = 'thirdPartyIncome' and f.target_id = i.id) files,
    coalesce(o.real_name, '系统') creator,
    exists (select from examine e where e.target_kind = 'thirdPartyIncome' and e.target_id = i.id
      and e.state = 'approving') frozen, i.version`,
  join: sql`join third_party_income i on i.id = page.id join third_party p on p.id = i.third_party_id
    join village v on v.id = i.village_id left join operator o on o.id = i.created_by`,
  sums: {
    select: sql`coalesce(sum(i.gross) ${STANDING}, 0)::bigint gross, coalesce(sum(i.share) ${STANDING}, 0)::bigint share,
      coalesce(sum(i.tax) ${STANDING}, 0)::bigint tax, coalesce(sum(i.settled), 0)::bigint settled,
      coalesce(sum(${OWED}), 0)::bigint outstanding`,
  },
});

const figures = sql<Omit<SummaryRow, "id" | "villageName">>`${sql.join(
  PARTNER_KINDS.map(
    (kind) =>
      sql`coalesce(sum(i.share) filter (where p.kind = ${sql.lit(kind)}), 0)::bigint ${sql.ref(kind)}`,
  ),
)}, coalesce(sum(i.share), 0)::bigint share, coalesce(sum(i.tax), 0)::bigint tax,
  coalesce(sum(i.settled), 0)::bigint settled, coalesce(sum(i.outstanding), 0)::bigint outstanding`;

export const summaries = listOf(summary, {
  id: "i.village_id",
  grouped: figures,
  from: sql`third_party_income i join third_party p on p.id = i.third_party_id`,
  village: "i.village_id",
  scope: () => ON_BOOKS,
  where: { month: is("i.month") },
  sort: { share: sql`share`, outstanding: sql`outstanding` },
  order: "share",
  tie: sql`id`,
  columns: sql<SummaryRow>`page.*, v.name "villageName"`,
  join: sql`join village v on v.id = page.id`,
  sums: { select: figures },
});

type Detail = z.input<typeof getSheet.reply>;

export async function sheetDetail(read: Read, id: number): Promise<Detail> {
  const row = await sheets.one(read, id);
  type Head = Pick<
    Detail,
    "computed" | "overrideReason" | "confirmedAt" | "confirmer" | "reversedAt" | "reverseReason"
  >;
  const head = await sql<Head>`
    select i.computed, i.override_reason "overrideReason", i.confirmed_at "confirmedAt", o.real_name confirmer,
      i.reversed_at "reversedAt", i.reverse_reason "reverseReason"
    from third_party_income i left join operator o on o.id = i.confirmed_by where i.id = ${id}`.execute(
    read.tx,
  );
  const settlements = await settlementsOf(read, id);
  return {
    ...row,
    ...head.rows[0]!,
    waiting: (await waitingOf(read, row)).waiting,
    papers: (await filesOf(read, "thirdPartyIncome", [id])).get(id) ?? [],
    settlements,
    entries: await entriesShown(read, [
      { type: "thirdPartyIncome", ids: [id] },
      { type: "flow", ids: settlements.flatMap((s) => s.flowId ?? []) },
      { type: "thirdPartySettlement", ids: settlements.map((s) => s.id) },
    ]),
    log: await logOf(read, "thirdPartyIncome", id),
  };
}

async function settlementsOf(read: Read, incomeId: number): Promise<Detail["settlements"]> {
  const { rows } = await sql<Detail["settlements"][number]>`
    select s.id, s.settled_on "settledOn", s.amount, s.flow_id "flowId", s.bank_line_id "bankLineId",
      coalesce(f.flow_no, concat_ws(' ', l.day, nullif(x.counter_name, ''))) "paidBy", coalesce(o.real_name, '系统') operator, s.undone_at "undoneAt", s.undo_reason "undoReason"
    from third_party_settlement s left join flow f on f.id = s.flow_id left join bank_line l on l.id = s.bank_line_id
    left join statement_line x on x.id = l.statement_line_id left join operator o on o.id = s.created_by
    where s.income_id = ${incomeId} order by s.id`.execute(read.tx);
  return rows;
}

/** Receipts for a sheet that wait for a second person. */
export async function waitingOf(
  read: Pick<Read, "tx">,
  { id, villageId }: { id: number; villageId: number },
): Promise<{ waiting: Fen; flowNo: string | null }> {
  const { rows } = await sql<{ waiting: Fen; flowNo: string | null }>`
    select coalesce(sum(amount), 0)::bigint waiting, min(flow_no) "flowNo" from flow
    where village_id = ${villageId} and state = 'pending' and kind = 'thirdParty'
      and (wanted ->> 'incomeId')::bigint = ${id}`.execute(read.tx);
  return rows[0]!;
}

type Named = {
  id: number;
  name: string;
  villageIds: number[];
  startDate: Day;
  endDate: Day | null;
  enabled: boolean;
};

/** The partners of some names, of stores of the reader's. */
export async function partnersNamed(read: Read, names: readonly string[]): Promise<Map<string, Named>> {
  const { rows } = await sql<Named>`
    select id, name, village_ids "villageIds", start_date "startDate", end_date "endDate", enabled from third_party
    where name = any(${[...names]}::text[]) and village_ids && ${[...read.who.villages]}::bigint[]`.execute(
    read.tx,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Sheets that stand, by store, month and partner. */
export async function standingSheets(read: Read, partnerIds: readonly number[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select concat_ws(' ', village_id, month, third_party_id) key from third_party_income
    where third_party_id = ${anyOf(partnerIds)} and state <> 'reversed'`.execute(read.tx);
  return new Set(rows.map(({ key }) => key));
}
