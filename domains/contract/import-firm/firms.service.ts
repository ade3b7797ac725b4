import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { blackHit } from "../../customer/blacklist/blacklist.service.ts";
import type { FirmKind } from "../../customer/firm/words.rules.ts";
import { judging } from "../../customer/import/firms.service.ts";
import { forbidText } from "../contract/facts.queries.ts";
import type { ColumnKey } from "../import/columns.rules.ts";
import type { Meeting } from "../import/kind.service.ts";
import type { Person } from "../import/planned.rules.ts";

type Known = {
  id: number;
  enterpriseId: number;
  name: string;
  phone: string;
  hash: string;
  /** Linked with a store in scope: only those are found by name. */
  seen: boolean;
};

/** What stands behind a row: a firm on record, a new one under its number, or the sentence against the row. */
type Found = { known: Known } | { key: string; hash: string } | { at: ColumnKey; msg: string };

const UNKNOWN: Record<FirmKind, string> = {
  company: "没有登记过该企业，请填写统一社会信用代码",
  merchant: "没有登记过该商户，请填写统一社会信用代码；个人商户填写证件号",
};
const SEVERAL: Record<FirmKind, string> = {
  company: "有多家同名的企业，请填写统一社会信用代码",
  merchant: "有多家同名的商户，请填写统一社会信用代码或证件号",
};

/** The firms on record that rows may mean: of the same number, or of the same name. Those merged into others are none. */
async function onRecord(
  read: Read,
  kind: FirmKind,
  rows: readonly Meeting[],
  hashes: readonly string[],
): Promise<Known[]> {
  const { rows: known } = await sql<Known>`
    select p.id, f.enterprise_id "enterpriseId", p.name, p.phone, encode(f.number_hash, 'hex') hash,
      exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(read.who.villages)}) seen
    from firm f join party p on p.id = f.id
    where f.kind = ${kind} and f.merged_into_id is null and f.enterprise_id = ${anyOf(rows.map((r) => r.enterpriseId))}
      and (f.number_hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h)
        or p.name = any(${rows.map((r) => r.tenant.name)}::text[]))
    order by p.id`.execute(read.tx);
  return known;
}

/** Who each row means: the firm of its number, else the one of its name, else the one of another row of that name. */
function findIn(kind: FirmKind, known: readonly Known[], rows: readonly Meeting[], hashOf: HashOf) {
  const byHash = new Map(known.map((one) => [`${one.enterpriseId} ${one.hash}`, one]));
  const named = (of: Meeting) =>
    known.filter((one) => one.enterpriseId === of.enterpriseId && one.name === of.tenant.name);
  const inFile = new Map<string, Set<string>>();
  const nameKey = ({ enterpriseId, tenant }: Meeting) => `${enterpriseId} ${tenant.name}`;
  for (const row of rows) {
    const hash = hashOf(row);
    if (hash) inFile.set(nameKey(row), (inFile.get(nameKey(row)) ?? new Set<string>()).add(hash));
  }
  return (row: Meeting): Found => {
    const own = hashOf(row);
    const others = [...(inFile.get(nameKey(row)) ?? [])];
    if (!own && others.length > 1) return { at: "name", msg: SEVERAL[kind] };
    const hash = own ?? others[0];
    const numberAt = row.tenant.certNo ? "certNo" : "creditCode";
    if (hash) {
      const same = byHash.get(`${row.enterpriseId} ${hash}`);
      if (same && same.name !== row.tenant.name)
        return {
          at: numberAt,
          msg: row.tenant.certNo
            ? "该证件号已登记在其他商户名下，请核对"
            : `该统一社会信用代码登记的名称是“${same.name}”，请核对`,
        };
      if (same) return { known: same };
      // two companies of one name there are none: one of the codes is mistyped
      if (kind === "company" && named(row).length)
        return { at: numberAt, msg: "该企业登记的是另一个统一社会信用代码，请核对" };
      return { key: `${row.enterpriseId} ${hash}`, hash };
    }
    const [first, ...more] = named(row).filter((one) => one.seen);
    if (!first) return { at: "name", msg: UNKNOWN[kind] };
    return more.length ? { at: "name", msg: SEVERAL[kind] } : { known: first };
  };
}
type HashOf = (row: Meeting) => string | undefined;

/**
 * Who of the file is registered already, and what the others are to be registered with. The black list forbids as in
 * signing.
 */
export async function meetFirms(
  read: Read,
  kind: FirmKind,
  rows: readonly Meeting[],
): Promise<Map<number, Person>> {
  if (!rows.length) return new Map();
  const hashOf = ({ tenant }: Meeting) => {
    const number = tenant.creditCode ?? tenant.certNo;
    return number && read.cipher.hash(number).toString("hex");
  };
  const hashes = rows.flatMap((row) => hashOf(row) ?? []);
  const find = findIn(kind, await onRecord(read, kind, rows, hashes), rows, hashOf);
  const people = new Map<number, Person>();
  const groups = Map.groupBy(
    rows.flatMap((row) => {
      const found = find(row);
      if (!("msg" in found)) return [{ row, found }];
      row.row.say(found.at, found.msg);
      return [];
    }),
    ({ found }) => ("known" in found ? found.known.id : found.key),
  );
  const judge = judgingOf(read, kind);
  for (const group of groups.values()) {
    const { found } = group[0]!;
    // of several rows the one that carries number and contact
    const told = group.find(({ row }) => hashOf(row) && row.row.text["contactName"]) ?? group[0]!;
    const phone = "known" in found ? found.known.phone : told.row.tenant.phone;
    const hash = Buffer.from("known" in found ? found.known.hash : found.hash, "hex");
    const hit = await blackHit(read, told.row.enterpriseId, { certNoHash: hash, ...(phone && { phone }) });
    if (hit?.level === "forbid")
      for (const { row } of group) row.row.say("name", forbidText({ ...hit, whom: "该客户" }));
    const other = group.find(({ row }) => row.tenant.name !== told.row.tenant.name);
    if (other) {
      const at = other.row.tenant.certNo ? "certNo" : "creditCode";
      other.row.row.say(at, `与第 ${told.row.n} 行的${at === "certNo" ? "证件号" : "代码"}相同，名称不同`);
    }
    const person = "known" in found ? { partyId: found.known.id } : await judge(found.key, told.row);
    if (person && hit?.level !== "forbid") for (const { row } of group) people.set(row.n, person);
  }
  return people;
}

/** Reads who is new as its own form would: what is missing is said in the row that carries it. */
function judgingOf(read: Read, kind: FirmKind) {
  const stores = new Map<number, Awaited<ReturnType<typeof judging>>>();
  return async (key: string, { row, tenant, villageId }: Meeting): Promise<Person | undefined> => {
    const { contactName, contactPhone, ownerName, brand, category } = row.text;
    const needs = (column: ColumnKey, what: string, given: string | undefined) =>
      given === undefined &&
      row.say(column, `没有登记过该${kind === "company" ? "企业" : "商户"}，请填写${what}`);
    needs("contactName", "签约联系人", contactName);
    needs("contactPhone", "手机", contactPhone);
    if (kind === "merchant") needs("category", "业态", category);
    const judge = stores.get(villageId) ?? (await judging(read, kind, villageId, read.who.operatorId));
    stores.set(villageId, judge);
    const { name, creditCode, certType, certNo } = tenant;
    const typed = { name, contactName, contactPhone };
    const own =
      kind === "company"
        ? { creditCode, ownerName }
        : { subject: creditCode ? "company" : "individual", creditCode, certType, certNo, brand, category };
    const firm = judge({ typed: { ...typed, ...own }, say: row.say, as: row.as }).row;
    return firm && { key, firm };
  };
}
