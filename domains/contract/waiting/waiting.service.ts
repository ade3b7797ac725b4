import { sql, type RawBuilder } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/scope.ts";

/** Conditions over `contract c`: lists filter by them and the workbench counts by them, so the numbers agree. */
type Condition = RawBuilder<boolean>;
export type ContractKind = "renter" | "company" | "merchant";

const within = (villages: readonly number[], kinds: readonly ContractKind[]) =>
  sql`c.village_id = ${anyOf(villages)} and c.kind = any(${[...kinds]})`;

/** Nobody signed a renewal for it yet. */
const notRenewed = sql`not exists (select from contract n
  where n.id = c.next_id and n.source = 'renewal' and n.signed_on is not null and n.state <> 'voided')`;

/** In force, and its last day lies within some days from today. */
export const endsWithin = (
  villages: readonly number[],
  kinds: readonly ContractKind[],
  today: Day,
  days: number,
): Condition => sql<boolean>`(${within(villages, kinds)} and c.state = 'effective' and c.start_date <= ${today}::date
  and c.end_date between ${today}::date and ${addDays(today, days)}::date and ${notRenewed})`;

/** Its last day lies between two days, and the tenant was not followed by a renewal: past days keep the ended ones. */
export const endsBetween = (
  villages: readonly number[],
  kinds: readonly ContractKind[],
  from: Day,
  to: Day,
): Condition => sql<boolean>`(${within(villages, kinds)} and c.state in ('effective', 'expired', 'ended')
  and c.end_date between ${from}::date and ${to}::date and ${notRenewed})`;

/** Signed, and its first day lies between two days: whoever comes new, not who stays on. */
export const startsBetween = (
  villages: readonly number[],
  kinds: readonly ContractKind[],
  from: Day,
  to: Day,
): Condition => sql<boolean>`(${within(villages, kinds)} and c.source not in ('renewal', 'import')
  and c.state not in ('draft', 'approving', 'signing', 'voided')
  and c.start_date between ${from}::date and ${to}::date)`;

/** Its first day is today, and nobody has moved in yet. */
export const movesInOn = (
  villages: readonly number[],
  kinds: readonly ContractKind[],
  day: Day,
): Condition => sql<boolean>`(${within(villages, kinds)} and c.state = 'effective'
  and c.start_date = ${day}::date and c.handover_on is null and c.source <> 'renewal')`;

/** Handed in, and not signed by everybody. */
export const waitsForSigning = (villages: readonly number[], kinds: readonly ContractKind[]): Condition =>
  sql<boolean>`(${within(villages, kinds)} and c.state = 'signing')`;
