import type { Day } from "../../../platform/kernel/day.ts";
import { sql, type RawBuilder } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import type { ContractFilter, ContractTab } from "./contract.contract.ts";
import { ENDING_DAYS } from "./contract.rules.ts";

type Condition = RawBuilder<unknown>;

/** Late money of contract c: on the ledger, past its due day, still open. The arrears report counts the same bills. */
export const overdueBills = (today: Day): Condition => sql`from bill b where b.contract_id = c.id
  and ${isLateMoney(today)}`;

/** What a tab holds. 在租 counts those soon to end too; the tab beside it shows them alone. */
export function tabOf(tab: ContractTab, today: string): Condition {
  const soon = addDays(today, ENDING_DAYS);
  const conditions: Record<ContractTab, Condition> = {
    all: sql`true`,
    draft: sql`c.state = 'draft'`,
    signing: sql`c.state = 'signing'`,
    toStart: sql`c.state = 'effective' and c.start_date > ${today}::date`,
    living: sql`c.state = 'effective' and c.start_date <= ${today}::date`,
    ending: sql`c.state = 'effective' and c.start_date <= ${today}::date and c.end_date <= ${soon}::date`,
    expired: sql`c.state = 'expired'`,
    ended: sql`is_over(c.state)`,
    voided: sql`c.state = 'voided'`,
  };
  return conditions[tab];
}

export function flagOf(flag: NonNullable<ContractFilter["flag"]>, today: string): Condition {
  if (flag === "signing") return sql`c.state = 'signing'`;
  if (flag === "unsettled") return sql`c.state = 'expired'`;
  if (flag === "toMoveIn")
    return sql`c.state = 'effective' and c.handover_on is null and c.start_date <= ${today}::date`;
  return sql`exists (select 1 ${overdueBills(today)})`;
}

/** A number by its beginning, names by any part, a phone whole or by its last four digits. Certificates are never searched. */
function keywordOf(text: string): Condition {
  const found: Condition[] = [
    sql`c.old_no = ${text}`,
    sql`c.party_name ilike ${containing(text)}`,
    sql`c.room_names ilike ${containing(text)}`,
  ];
  if (/^ht\d*(-\d*)?$/i.test(text)) found.push(sql`c.contract_no like ${`${text.toUpperCase()}%`}`);
  if (/^\d{11}$/.test(text)) found.push(sql`c.party_id in (select id from party where phone = ${text})`);
  if (/^\d{4}$/.test(text))
    found.push(sql`c.party_id in (select id from party where right(phone, 4) = ${text})`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/** A firm is also found by its whole credit code, its brand and whoever one talks to there. */
const firmKeywordOf = (text: string): Condition => sql`(${keywordOf(text)}
  or c.party_id in (select id from firm where credit_code = ${text.toUpperCase()})
  or c.party_id in (select id from merchant where brand ilike ${containing(text)})
  or c.party_id in (select party_id from party_contact where name ilike ${containing(text)} or phone = ${text}))`;

/** The conditions of a filter on contract c, the operator's villages first. */
export function contractWhere(read: Read, f: ContractFilter): Condition {
  const all: Condition[] = [
    sql`c.village_id = ${anyOf(villagesOf(read.who, f.villageIds))}`,
    // written out: a plan made for any kind would look through the contracts of renters for those of companies
    sql`c.kind = ${sql.lit(f.kind)}`,
  ];
  const and = (condition: Condition) => all.push(condition);
  if (f.buildingId)
    and(sql`exists (select 1 from contract_room cr join room r on r.id = cr.room_id join apartment a on a.id = r.apartment_id
      where cr.contract_id = c.id and a.building_id = ${f.buildingId})`);
  if (f.roomId)
    and(
      sql`exists (select 1 from contract_room cr where cr.contract_id = c.id and cr.room_id = ${f.roomId})`,
    );
  if (f.partyId) and(sql`c.party_id = ${f.partyId}`);
  if (f.leadId)
    and(sql`c.id in (select contract_id from lead where id = ${f.leadId}
      union select contract_id from reservation where lead_id = ${f.leadId})`);
  if (f.keyword) and(f.kind === "renter" ? keywordOf(f.keyword) : firmKeywordOf(f.keyword));
  const rooms = sql`(select count(*) from contract_room cr where cr.contract_id = c.id)`;
  if (f.roomsFrom !== undefined) and(sql`${rooms} >= ${f.roomsFrom}`);
  if (f.roomsTo !== undefined) and(sql`${rooms} <= ${f.roomsTo}`);
  if (f.billPerRoom)
    and(sql`coalesce((c.terms->>'billPerRoom')::boolean, false) = ${f.billPerRoom === "true"}`);
  if (f.startFrom) and(sql`c.start_date >= ${f.startFrom}::date`);
  if (f.startTo) and(sql`c.start_date <= ${f.startTo}::date`);
  if (f.endFrom) and(sql`c.end_date >= ${f.endFrom}::date`);
  if (f.endTo) and(sql`c.end_date <= ${f.endTo}::date`);
  if (f.signedFrom) and(sql`c.signed_on >= ${f.signedFrom}::date`);
  if (f.signedTo) and(sql`c.signed_on <= ${f.signedTo}::date`);
  if (f.cycle) and(sql`c.cycle_months = ${Number(f.cycle)}`);
  if (f.source) and(sql`c.source = ${f.source}`);
  if (f.flag) and(flagOf(f.flag, read.today));
  if (f.ids?.length) and(sql`c.id = ${anyOf(f.ids)}`);
  if (f.signMode) and(sql`c.sign_mode = ${f.signMode}`);
  if (f.owing) {
    const owes = sql`exists (select 1 ${overdueBills(read.today)})`;
    and(f.owing === "true" ? owes : sql`not ${owes}`);
  }
  if (f.managerId) and(sql`c.manager_operator_id = ${f.managerId}`);
  if (f.signerId) and(sql`c.signer_operator_id = ${f.signerId}`);
  return sql.join(all, sql` and `);
}
