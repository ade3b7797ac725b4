import { sql, type RawBuilder } from "kysely";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { PAGE_CODE } from "../../party/party/party.service.ts";
import { companies } from "../company/company.queries.ts";
import { FIRM, firmRows } from "../firm/firm-list.queries.ts";
import { merchants } from "../merchant/merchant.queries.ts";
import { renterRows, renters } from "../renter/renter.queries.ts";
import { isWhole, stageWord, type ChoiceKind } from "./choice.rules.ts";

const MOST = 20;
const LISTS = { company: companies, merchant: merchants };
type Asked = {
  kind: ChoiceKind;
  keyword: string;
  villageId?: number | undefined;
  ids?: number[] | undefined;
};

/** An id proves nothing: whoever may not read the list is told no more by it than the masked name of whom a form has chosen. */
const NOTHING = {
  phone: "",
  number: "",
  stage: "",
  villages: "",
  black: "none" as const,
  arrears: 0,
};

const seesList = (read: Read, kind: ChoiceKind) => read.who.permits.has(`${PAGE_CODE[kind]}.query`);

/** `from … where …` of the records of a kind, as p, that a whole number belongs to, in whatever store. */
function ofNumber(read: Read, kind: ChoiceKind, typed: string): RawBuilder<unknown> {
  const hash = read.cipher.hash(canonicalNumber(typed));
  const mine = sql`p.kind = ${kind} and p.enterprise_id = ${read.who.enterpriseId} and x.merged_into_id is null`;
  // each number has an index of its own
  return kind === "renter"
    ? sql`from party p join renter x on x.id = p.id where ${mine} and x.anonymised_at is null and p.id in (
        select id from party where phone = ${typed} union select id from renter
        where enterprise_id = ${read.who.enterpriseId} and cert_no_hash = ${hash} and merged_into_id is null)`
    : sql`from party p join firm x on x.id = p.id where ${mine} and p.id in (
        select id from firm where number_hash = ${hash} union select party_id from party_contact where phone = ${typed})`;
}

const inVillages = (villages: readonly number[]) =>
  sql`exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(villages)})`;

async function found(read: Read, { kind, keyword }: Asked, villages: readonly number[]): Promise<number[]> {
  const whole = isWhole(keyword);
  if (!seesList(read, kind) && !whole) return [];
  const filter = { keyword, villageIds: [...villages] };
  const where = !seesList(read, kind)
    ? sql`${ofNumber(read, kind, keyword)} and ${inVillages(villages)}`
    : kind === "renter"
      ? sql`from party p join renter r on r.id = p.id where ${await renters.condition(read, filter)}`
      : sql`from party p ${FIRM} where ${await LISTS[kind].condition(read, filter)}`;
  const { rows } = await sql<{ id: number }>`
    select p.id ${where} order by p.created_at desc, p.id desc limit ${MOST}`.execute(read.tx);
  return rows.map((row) => row.id);
}

/** Those of these ids that may be seen, by their kind. */
async function chosen(read: Read, ids: readonly number[], villages: readonly number[]) {
  const { rows } = await sql<{ id: number; kind: ChoiceKind }>`
    select p.id, p.kind from party p where p.id = any(${ids as number[]}::bigint[])
      and p.kind in ('renter', 'company', 'merchant') and ${inVillages(villages)} limit ${MOST}`.execute(
    read.tx,
  );
  return Map.groupBy(rows, (row) => row.kind);
}

async function villageNames(read: Read, villages: readonly number[], ids: readonly number[]) {
  const { rows } = await sql<{ id: number; names: string }>`
    select w.party_id id, string_agg(v.name, '、' order by w.first_day, v.id) names
    from party_village w join village v on v.id = w.village_id
    where w.party_id = any(${ids as number[]}::bigint[]) and w.village_id = ${anyOf(villages)} group by 1`.execute(
    read.tx,
  );
  return new Map(rows.map((row) => [row.id, row.names]));
}

async function optionsOf(read: Read, kind: ChoiceKind, villages: readonly number[], ids: readonly number[]) {
  const [rows, names] = await Promise.all([
    kind === "renter"
      ? renterRows(read, villages, ids)
      : firmRows(read, villages, ids).then((all) =>
          all.map(({ creditCode, certNo, ...row }) => ({ ...row, certNo: creditCode ?? certNo })),
        ),
    villageNames(read, villages, ids),
  ]);
  const whole = seesList(read, kind);
  return rows.map((row) => ({
    id: row.id,
    kind,
    name: whole ? row.name : maskName(row.name),
    phone: row.phone,
    number: row.certNo ?? "",
    stage: stageWord(kind, row.stage),
    villages: names.get(row.id) ?? "",
    black: row.black,
    arrears: row.arrears,
  }));
}

/** Customers of a kind that what was typed names; at most twenty, the newest first. */
export async function choicesOf(read: Read, asked: Asked) {
  const villages = villagesOf(read.who, asked.villageId ? [asked.villageId] : undefined);
  if (asked.ids?.length) {
    const byKind = await chosen(read, asked.ids, villages);
    const lists = [...byKind].map(async ([kind, rows]) => {
      const ids = rows.map((row) => row.id);
      const options = await optionsOf(read, kind, villages, ids);
      return seesList(read, kind) ? options : options.map((option) => ({ ...option, ...NOTHING }));
    });
    return { list: (await Promise.all(lists)).flat(), known: null };
  }
  const list = await optionsOf(read, asked.kind, villages, await found(read, asked, villages));
  const elsewhere = !list.length && isWhole(asked.keyword) && (await oneOf(read, asked));
  return { list, known: elsewhere ? { maskedName: maskName(elsewhere.name) } : null };
}

/** The record that a whole number belongs to, in whatever store of the enterprise; the newest when there are several. */
export async function oneOf(read: Read, { kind, keyword }: Pick<Asked, "kind" | "keyword">) {
  const { rows } = await sql<{ id: number; name: string; homeVillageId: number }>`
    select p.id, p.name, x.home_village_id "homeVillageId" ${ofNumber(read, kind, keyword)}
    order by p.id desc limit 1`.execute(read.tx);
  return rows[0];
}

/** A customer whom a form has chosen: in scope, and not merged into another. */
export async function choosable(read: Read, id: number) {
  const { rows } = await sql<{ id: number; kind: ChoiceKind; name: string; enterpriseId: number }>`
    select p.id, p.kind, p.name, p.enterprise_id "enterpriseId"
    from party p left join renter r on r.id = p.id left join firm x on x.id = p.id
    where p.id = ${id} and coalesce(r.id, x.id) is not null and coalesce(r.merged_into_id, x.merged_into_id) is null
      and r.anonymised_at is null and ${inVillages(read.who.villages)}`.execute(read.tx);
  return rows[0];
}
