import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";

/**
 * Works the kept sums of contracts out anew from their bills. Call it last in an act: the rows are locked in id order
 * and stay locked until the commit, so that two acts on one contract follow each other here.
 */
export async function keepContractMoney(act: Act, contractIds: readonly (number | null)[]): Promise<void> {
  const ids = [...new Set(contractIds)].filter((id) => id !== null).sort((a, b) => a - b);
  if (!ids.length) return;
  await sql`
    insert into contract_money (contract_id, village_id)
    select id, village_id from contract_brief where id = any(${ids}::bigint[]) order by id
    on conflict do nothing`.execute(act.tx);
  await sql`select from contract_money where contract_id = any(${ids}::bigint[]) order by contract_id for update`.execute(
    act.tx,
  );
  await sql`
    update contract_money m set billed = b.billed, received = b.received, outstanding = b.outstanding,
      next_due_on = b.next_due_on, next_due_fen = b.next_due_fen, deposit_held = b.held
    from (
      select c.id, coalesce(sum(b.amount + b.adjusted) filter (where b.issued_at is not null), 0) billed,
        coalesce(sum(b.settled), 0) received,
        coalesce(sum(b.outstanding) filter (where b.issued_at is not null), 0) outstanding,
        min(b.due_date) filter (where b.outstanding > 0) next_due_on,
        (array_agg(b.outstanding order by b.due_date, b.id) filter (where b.outstanding > 0))[1] next_due_fen,
        coalesce((select sum(held) from deposit_balance d where d.contract_id = c.id), 0) held
      from unnest(${ids}::bigint[]) c(id)
      left join bill b on b.contract_id = c.id and b.voided_at is null and b.direction = 'receivable'
      group by c.id) b
    where m.contract_id = b.id`.execute(act.tx);
}
