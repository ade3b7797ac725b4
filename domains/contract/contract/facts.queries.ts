import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { configOf } from "../config/config.service.ts";
import type { Facts, State } from "./contract.rules.ts";
import { permitOf } from "./kind.rules.ts";
import type { ContractRecord } from "./record.queries.ts";
import { heldOver } from "./room-facts.queries.ts";

/**
 * What is paid, invoiced and still open of the bills that fall due with the signing. A deposit that an import brought
 * in was paid on no bill of ours.
 */
const MONEY = sql`
  select (coalesce(sum(b.settled), 0)
      + coalesce(max(m.deposit_held) filter (where c.import_id is not null), 0))::bigint received,
    count(*) filter (where b.invoiced > 0)::int invoiced,
    coalesce(sum(b.outstanding) filter (where b.due_date <= c.signed_on + coalesce((c.terms->'due'->>'firstDueDays')::int, 0)), 0)::bigint "firstOpen",
    coalesce(sum((select sum(l.outstanding) from bill_line l join fee_subject s on s.id = l.fee_subject_id
      where l.bill_id = b.id and s.kind = 'deposit')) filter (where b.outstanding > 0), 0)::bigint "depositOpen"
  from contract c left join contract_money m on m.contract_id = c.id left join bill b on b.contract_id = c.id and b.voided_at is null`;

type Money = Pick<Facts, "received" | "invoiced" | "firstOpen" | "depositOpen">;

/** Everything the table of moves looks at, for one contract. */
export async function contractFacts(
  read: Read,
  contract: ContractRecord,
): Promise<Facts & { status: State }> {
  const running = contract.state === "effective" || contract.state === "expired";
  const money: Money = running
    ? (await sql<Money>`${MONEY} where c.id = ${contract.id}`.execute(read.tx)).rows[0]!
    : { received: 0, invoiced: 0, firstOpen: 0, depositOpen: 0 };
  const waits = contract.state === "effective" && !contract.handoverOn;
  return {
    ...money,
    status: contract.state,
    today: read.today,
    start: contract.start,
    handoverOn: contract.handoverOn,
    submitted: contract.previewHash !== null,
    moveInRule: waits ? (await configOf(read, contract)).moveInRule : "any",
    roomHeld:
      waits &&
      (
        await heldOver(
          read,
          contract.rooms.map((r) => r.roomId),
          contract.id,
        )
      ).length > 0,
    mayOverride: read.who.permits.has(permitOf(contract.kind, "moveInUnpaid")),
  };
}
