import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { linkParty, noteParty } from "../../party/party/party.service.ts";
import { oneOf } from "./choice.queries.ts";
import { type ChoiceKind, isWhole } from "./choice.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

type Wanted = { kind: ChoiceKind; keyword: string; villageId: number };

/** Brings somebody whom another store registered to this one; a guessed number finds nobody. */
export async function linkFound(act: Act, { kind, keyword, villageId }: Wanted): Promise<{ id: number }> {
  inScope(act.who, villageId);
  const party = isWhole(keyword) ? await oneOf(act, { kind, keyword }) : undefined;
  if (!party) throw invalid({ field: "keyword", msg: "没有找到该客户" });
  const { name } = await theRow(act, "village", ["name"], { id: villageId });
  if (await linkParty(act, party.id, villageId, "link"))
    await noteParty(act, { ...party, kind }, { action: "关联", summary: `关联到门店“${name}”` }, villageId);
  return { id: party.id };
}

const escaped = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/**
 * People and firms that have to do with a store of the operator's: by name, initials, phone or the end of a phone. Two
 * characters are the beginning or the end of a name; three and more stand anywhere in it.
 */
export async function findParties(read: Read, typed: string, most: number) {
  const word = escaped(typed);
  const found = [
    typed.length > 2
      ? sql`p.name ilike ${`%${word}%`}`
      : sql`(p.name ilike ${`${word}%`} or p.name ilike ${`%${word}`})`,
  ];
  if (/^[a-z]+$/i.test(typed)) found.push(sql`p.pinyin like ${`${typed.toLowerCase()}%`}`);
  if (/^\d{4,15}$/.test(typed))
    found.push(sql`(right(p.phone, 4) = ${typed.slice(-4)} and p.phone like ${`%${typed}`})`);
  const { rows } = await sql<{
    id: number;
    kind: "renter" | "company" | "merchant";
    name: string;
    phone: string;
  }>`
    select p.id, p.kind, p.name, p.phone from party p
    where p.kind in ('renter', 'company', 'merchant') and (${sql.join(found, sql` or `)})
      and not exists (select from renter r where r.id = p.id and r.merged_into_id is not null)
      and not exists (select from firm f where f.id = p.id and f.merged_into_id is not null)
      and exists (select from party_village v where v.party_id = p.id and v.village_id = ${anyOf(read.who.villages)})
    order by p.name = ${typed} desc, p.id desc limit ${most}`.execute(read.tx);
  return rows.map(({ id, kind, name, phone }) => ({ id, kind, title: name, note: maskPhone(phone) }));
}
