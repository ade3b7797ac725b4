import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { OPEN } from "../act/act.rules.ts";
import { flagOf, tabOf } from "../contract/contract.queries.ts";

/** Conditions over `contract c`, made of the list's own, so that a count elsewhere is the total of the list it opens. */
type Condition = RawBuilder<SqlBool>;
export type ContractKind = "renter" | "company" | "merchant";
type Of = { villages: readonly number[]; kinds: readonly ContractKind[] };

const within = ({ villages, kinds }: Of) =>
  sql`c.village_id = ${anyOf(villages)} and c.kind = any(${[...kinds]})`;

/** The list's tab 即将到期. */
export const endsSoon = (of: Of, today: Day): Condition =>
  sql<SqlBool>`(${within(of)} and ${tabOf("ending", today)})`;

/** The list's tab 待签署. */
export const waitsForSigning = (of: Of, today: Day): Condition =>
  sql<SqlBool>`(${within(of)} and ${tabOf("signing", today)})`;

/** The list's mark 待入住, of those that begin on a day. */
export const movesInOn = (of: Of, day: Day): Condition =>
  sql<SqlBool>`(${within(of)} and ${flagOf("toMoveIn", day)} and c.start_date = ${day}::date)`;

/** Whoever comes new, not who stays on: signed, with the first day between two days. */
export const startsBetween = (of: Of, from: Day, to: Day): Condition =>
  sql<SqlBool>`(${within(of)} and c.source not in ('renewal', 'import')
    and c.state not in ('draft', 'approving', 'signing', 'voided') and c.start_date between ${from}::date and ${to}::date)`;

/** The last day lies between two days and no renewal was signed; of past days the ended ones too. */
export const endsBetween = (of: Of, from: Day, to: Day): Condition =>
  sql<SqlBool>`(${within(of)} and (in_force(c.state) or c.state = 'ended')
    and c.end_date between ${from}::date and ${to}::date
    and not exists (select from contract n
      where n.id = c.next_id and n.source = 'renewal' and n.signed_on is not null and n.state <> 'voided'))`;

/** Over `contract_act a`: a leaving that is not settled yet. */
export const unsettled: Condition = sql<SqlBool>`(a.kind = 'settle' and a.state = any(${[...OPEN]}))`;

/** Leavings of a day, settled or not, as the list of 退房申请 has them. */
export const leavesOn = (villages: readonly number[], day: Day): Condition =>
  sql<SqlBool>`(a.kind = 'settle' and a.village_id = ${anyOf(villages)} and a.effective_on = ${day}::date)`;
