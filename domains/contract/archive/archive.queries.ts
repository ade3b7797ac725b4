import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import {
  amongWords,
  from,
  is,
  keyword,
  named,
  number,
  type Sql,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { newestContracts } from "../contract/contract.queries.ts";
import { listArchives } from "./archive.contract.ts";
import {
  type ArchiveState,
  type ArchiveTab,
  type CONDITIONS,
  type DocKind,
  type Medium,
  TABS,
} from "./archive.rules.ts";

type Raw = Omit<RowOf<typeof listArchives>, "frozen" | "today">;

/** The loan that runs, where it is one of these. */
const onLoan = (what: Sql): Sql =>
  sql`exists (select from archive_loan l where l.archive_id = a.id and l.returned_on is null and ${what})`;
const late = (today: Day): Sql => sql`(a.state = 'lent' and ${onLoan(sql`l.due_on < ${today}::date`)})`;

const tabOf = (tab: ArchiveTab, today: Day): Sql =>
  ({
    pending: sql`a.state = 'pending'`,
    archived: sql`a.state = 'archived'`,
    lent: sql`a.state = 'lent'`,
    overdue: late(today),
    gone: sql`a.state in ('lost', 'destroyed')`,
  })[tab];

/** An original is kept at least as long as its lease runs, which may have been made longer since. */
const KEPT_UNTIL = sql`case when a.retention_until is not null then greatest(a.retention_until, c.end_date) end`;
const COLUMNS = sql<Raw>`a.id, a.archive_no "archiveNo", a.contract_id "contractId", c.contract_no "contractNo", c.kind "contractKind",
  a.village_id "villageId", v.name "villageName", a.doc_kind "docKind", c.party_name "partyName", c.room_names "roomNames",
  a.medium, a.copies, a.warehouse, a.cabinet, a.shelf, a.box, a.place, a.archived_on "archivedOn",
  coalesce(o.real_name, '') "archivedBy", coalesce(b.real_name, '') "borrowerName", l.lent_on "lentOn", l.due_on "dueOn",
  case a.hash_same when true then 'same' when false then 'changed' else 'none' end "hashState",
  ${KEPT_UNTIL} "retentionUntil", a.state, a.document_id is not null "hasFile",
  l.first_due_on is not null extended, a.version`;
const LOAN = sql`left join archive_loan l on l.archive_id = a.id and l.returned_on is null`;

/** Every original of the stores in scope. */
export const archives = listOf(listArchives, {
  id: "a.id",
  from: sql`contract_archive a`,
  village: "a.village_id",
  where: {
    tab: (tab, read) => tabOf(tab, read.today),
    keyword: keyword(
      (text) => (/^da\d/i.test(text) ? number("a.archive_no")(text) : undefined),
      (text) =>
        sql`a.contract_id in (select c.id from contract c where ${
          /^ht\d/i.test(text) ? number("c.contract_no")(text) : named("c.party_name", "c.room_names")(text)
        })`,
    ),
    medium: is("a.medium"),
    docKind: amongWords("a.doc_kind"),
    from: from("a.archived_on"),
    to: to("a.archived_on"),
    place: (place) => sql`(a.place = ${place} or a.place like ${beginning(`${place}-`)})`,
    borrowerId: (id) => onLoan(is("l.borrower_id")(id)),
    dueFrom: (day) => onLoan(from("l.due_on")(day)),
    dueTo: (day) => onLoan(to("l.due_on")(day)),
    contractId: is("a.contract_id"),
  },
  sort: {
    archiveNo: { by: "a.archive_no", indexed: true },
    archivedOn: "a.archived_on",
    retentionUntil: { by: KEPT_UNTIL, join: sql`join contract c on c.id = a.contract_id` },
  },
  order: "archiveNo",
  columns: COLUMNS,
  join: sql`join contract_archive a on a.id = page.id join contract c on c.id = a.contract_id ${LOAN}
    join village v on v.id = a.village_id left join operator o on o.id = a.archived_by
    left join operator b on b.id = l.borrower_id`,
  sums: {
    select: ({ today }) => sql`coalesce(sum(a.copies), 0)::int copies,
      (count(*) filter (where a.state = 'lent'))::int lent,
      (count(*) filter (where ${late(today)}))::int overdue`,
  },
  rows: async (raws: Raw[], read) => {
    const frozen = await frozenBy(
      read,
      "archive",
      raws.map((row) => row.id),
    );
    return raws.map((row) => ({ ...row, frozen: frozen.has(row.id), today: read.today }));
  },
});

export const countsOf = (read: Read, filter: Parameters<typeof archives.counts>[1]) =>
  archives.counts(
    read,
    filter,
    Object.fromEntries(TABS.map((tab) => [tab, tabOf(tab, read.today)])) as Record<ArchiveTab, Sql>,
  );

type Shelf = {
  warehouse: string;
  cabinet: string;
  shelf: string;
  place: string;
  count: number;
  lent: number;
};
/** Shelves with how much lies there and how much of it is away. */
export async function shelvesOf(read: Read, villageIds: readonly number[] | undefined): Promise<Shelf[]> {
  const { rows } = await sql<Shelf>`
    select warehouse, cabinet, shelf,
      warehouse || case when cabinet = '' then '' else '-' || cabinet end || case when shelf = '' then '' else '-' || shelf end place,
      count(*)::int count, (count(*) filter (where state = 'lent'))::int lent
    from contract_archive
    where village_id = ${anyOf(villagesOf(read.who, villageIds))} and state in ('archived', 'lent') and warehouse <> ''
    group by 1, 2, 3 order by 1, 2, 3 limit 2000`.execute(read.tx);
  return rows;
}

type Signed = { id: number; contractNo: string; partyName: string; roomNames: string };
/** Signed contracts by number, party or room, the newest first. */
export async function signedContracts(
  read: Read,
  { keyword: typed, ids }: { keyword?: string | undefined; ids?: number[] | undefined },
): Promise<Signed[]> {
  const narrower = ids?.length
    ? sql`c.id = ${anyOf(ids)}`
    : typed
      ? keyword(number("c.contract_no"), named("c.party_name", "c.room_names"))(typed)
      : undefined;
  const where = sql`c.signed_on is not null and c.state not in ('draft', 'signing') and ${narrower ?? sql`true`}`;
  const { rows } = await sql<Signed>`
    select c.id, c.contract_no "contractNo", c.party_name "partyName", c.room_names "roomNames"
    from ${newestContracts(read.who.villages, where, 20, Boolean(narrower))} order by c.id desc limit 20`.execute(
    read.tx,
  );
  return rows;
}

type Loan = {
  id: number;
  borrowerName: string;
  purpose: string;
  lentOn: Day;
  dueOn: Day;
  returnedOn: Day | null;
  condition: keyof typeof CONDITIONS | "lost" | null;
  note: string;
  lentBy: string;
};

export async function archiveDetail(read: Read, id: number) {
  const row = await archives.one(read, id);
  const more = await read.tx
    .selectFrom("contractArchive as a")
    .leftJoin("contractDocument as d", "d.id", "a.documentId")
    .leftJoin("storedFile as f", "f.id", "d.fileId")
    .select(["a.reason", "a.hashCheckedAt", "f.name as fileName", "d.fileHash"])
    .where("a.id", "=", id)
    .executeTakeFirstOrThrow();
  const { rows: loans } = await sql<Loan>`
    select l.id, b.real_name "borrowerName", l.purpose, l.lent_on "lentOn", l.due_on "dueOn", l.returned_on "returnedOn",
      l.condition, l.note, o.real_name "lentBy"
    from archive_loan l join operator b on b.id = l.borrower_id join operator o on o.id = l.lent_by
    where l.archive_id = ${id} order by l.id desc limit 50`.execute(read.tx);
  return { ...row, ...more, loans };
}

/** An original as acts work with it. */
export type Archive = {
  id: number;
  archiveNo: string;
  contractId: number;
  contractNo: string;
  partyName: string;
  villageId: number;
  villageName: string;
  roomNames: string;
  enterpriseId: number;
  documentId: number | null;
  docKind: DocKind;
  medium: Medium;
  copies: number;
  place: string;
  archivedOn: Day | null;
  archivedBy: number | null;
  status: ArchiveState;
  retentionUntil: Day | null;
  endDate: Day;
  loanId: number | null;
  borrowerId: number | null;
  borrowerName: string | null;
  purpose: string | null;
  lentOn: Day | null;
  dueOn: Day | null;
  lentBy: number | null;
  extended: boolean;
  version: number;
};

export async function readArchives(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  lock = false,
): Promise<Archive[]> {
  if (lock)
    await sql`select from contract_archive where id = ${anyOf(ids)} order by id for no key update`.execute(
      read.tx,
    );
  const { rows } = await sql<Archive>`
    select a.id, a.archive_no "archiveNo", a.contract_id "contractId", c.contract_no "contractNo", c.party_name "partyName",
      c.room_names "roomNames", a.village_id "villageId", v.name "villageName", c.enterprise_id "enterpriseId", a.document_id "documentId",
      a.doc_kind "docKind", a.medium, a.copies, a.place, a.archived_on "archivedOn", a.archived_by "archivedBy",
      a.state status, ${KEPT_UNTIL} "retentionUntil", c.end_date "endDate", l.id "loanId",
      l.borrower_id "borrowerId", b.real_name "borrowerName", l.purpose, l.lent_on "lentOn", l.due_on "dueOn",
      l.lent_by "lentBy", l.first_due_on is not null extended, a.version
    from contract_archive a join contract c on c.id = a.contract_id join village v on v.id = a.village_id ${LOAN}
    left join operator b on b.id = l.borrower_id
    where a.id = ${anyOf(ids)} order by a.id`.execute(read.tx);
  return rows;
}
