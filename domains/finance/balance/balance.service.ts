import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { atEnd, firstIn } from "../../../platform/server/database/once.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** Locks what a party has prepaid in a village, the first lock of every act on its money. */
export async function lockPrepaid(act: Act, villageId: number, partyId: number): Promise<void> {
  if (!firstIn(act, "prepaid", [`${villageId} ${partyId}`]).length) return;
  const lock = sql`
    select from party_balance where village_id = ${villageId} and party_id = ${partyId} and kind = 'prepaid'
    for update`;
  if ((await lock.execute(act.tx)).rows.length) return;
  await sql`
    insert into party_balance (village_id, party_id, kind, balance) values (${villageId}, ${partyId}, 'prepaid', 0)
    on conflict do nothing`.execute(act.tx);
  await lock.execute(act.tx);
}

type Party = { villageId: number; partyId: number };

/** The prepaid balance of a party, with the part of it from before the take-over; nothing where there never was one. */
export const prepaidRow = (read: Pick<Read, "tx">, { villageId, partyId }: Party) =>
  aRow(read, "partyBalance", ["balance", "opening", "openingOn"], { villageId, partyId, kind: "prepaid" });

export const prepaidOf = async (read: Pick<Read, "tx">, villageId: number, partyId: number): Promise<Fen> =>
  (await prepaidRow(read, { villageId, partyId }))?.balance ?? 0;

/**
 * Adds to (or takes from) a locked prepaid balance. `opening` is the part of it that comes from before the take-over
 * and has no flow.
 */
export async function addPrepaid(
  act: Act,
  villageId: number,
  partyId: number,
  amount: Fen,
  opening: Fen = 0,
): Promise<void> {
  if (!amount && !opening) return;
  await sql`
    update party_balance set balance = balance + ${amount}, opening = opening + ${opening}
    where village_id = ${villageId} and party_id = ${partyId} and kind = 'prepaid'`.execute(act.tx);
}

/** Earnest money without a contract, by the bill it was paid for; that bill is locked. */
export type EarnestChange = { billId: number; villageId: number; amount: Fen };

/** Adds to (or takes from) earnest money that is held; refused when more would leave than is held. */
export async function addEarnest(act: Act, changes: readonly EarnestChange[]): Promise<void> {
  for (const { billId, villageId, amount } of changes) {
    const { rows } = await sql`
      insert into earnest_balance as e (bill_id, village_id, held) values (${billId}, ${villageId}, ${Math.max(amount, 0)})
      on conflict (bill_id) do update set held = e.held + ${amount} where e.held + ${amount} >= 0
      returning held`.execute(act.tx);
    if (!rows.length) throw new Refusal("depositUsed", "定金已使用或已退，不能撤销该分配");
  }
}

/** What is held of the earnest money of a bill. */
export async function earnestHeld(read: Pick<Read, "tx">, billId: number): Promise<Fen> {
  const row = await aRow(read, "earnestBalance", ["held"], { billId });
  return row?.held ?? 0;
}

export type HeldChange = { contractId: number; kind: "deposit" | "earnest"; villageId: number; amount: Fen };

/** Locks the deposits of contracts in id order, before any bill is locked. */
export async function lockDeposits(act: Act, contractIds: readonly number[]): Promise<void> {
  const ids = firstIn(act, "deposits", contractIds).toSorted((a, b) => a - b);
  if (!ids.length) return;
  await sql`
    insert into deposit_balance (contract_id, kind, village_id, held)
    select c.id, k.kind, c.village_id, 0 from contract_brief c cross join (values ('deposit'), ('earnest')) k(kind)
    where c.id = any(${ids}::bigint[]) order by c.id, k.kind on conflict do nothing`.execute(act.tx);
  await sql`
    select from deposit_balance where contract_id = any(${ids}::bigint[]) order by contract_id, kind for update`.execute(
    act.tx,
  );
}

/** Adds to (or takes from) locked deposits; refused when more would leave than is held. */
export async function addHeld(act: Act, changes: readonly HeldChange[]): Promise<void> {
  if (!changes.length) return;
  const rows = JSON.stringify(changes);
  const short = await sql`
    with c as (
      select "contractId" contract_id, kind, sum(amount) amount
      from json_to_recordset(${rows}::json) r("contractId" bigint, kind text, amount bigint) group by 1, 2)
    select 1 from c left join deposit_balance d on d.contract_id = c.contract_id and d.kind = c.kind
    where coalesce(d.held, 0) + c.amount < 0`.execute(act.tx);
  if (short.rows.length) throw new Refusal("depositUsed", "押金已使用或已退，不能撤销该分配");
  await sql`
    update deposit_balance d set held = d.held + c.amount
    from (
      select "contractId" contract_id, kind, sum(amount) amount
      from json_to_recordset(${rows}::json) r("contractId" bigint, kind text, amount bigint) group by 1, 2) c
    where d.contract_id = c.contract_id and d.kind = c.kind`.execute(act.tx);
}

/** Works the kept sums of contracts out anew from their bills: the last step of an act on bills. */
export const keepContractMoney = (act: Act, contractIds: readonly (number | null)[]): Promise<void> =>
  atEnd(
    act,
    "contract money",
    contractIds.filter((id) => id !== null),
    (id) => id,
    (ids) =>
      writeContractMoney(
        act,
        ids.toSorted((a, b) => a - b),
      ),
  );

/** The rows are locked in id order and stay locked until the commit, so that two acts on one contract follow each other here. */
async function writeContractMoney(act: Act, ids: number[]): Promise<void> {
  const unlocked = firstIn(act, "contract money", ids);
  if (unlocked.length) {
    await sql`
      insert into contract_money (contract_id, village_id)
      select id, village_id from contract_brief where id = any(${unlocked}::bigint[]) order by id
      on conflict do nothing`.execute(act.tx);
    await sql`
      select from contract_money where contract_id = any(${unlocked}::bigint[]) order by contract_id for update`.execute(
      act.tx,
    );
  }
  await sql`
    update contract_money m set billed = b.billed, received = b.received, outstanding = b.outstanding,
      next_due_on = b.next_due_on, next_due_fen = b.next_due_fen, deposit_held = b.held
    from (
      select c.id, coalesce(sum(b.amount + b.adjusted) filter (where b.issued_at is not null), 0) billed,
        coalesce(sum(b.settled), 0) received,
        coalesce(sum(b.outstanding) filter (where b.issued_at is not null), 0) outstanding,
        min(b.first_due) next_due_on,
        sum(b.outstanding) filter (where b.outstanding > 0 and b.due_date = b.first_due) next_due_fen,
        coalesce((select sum(held) from deposit_balance d where d.contract_id = c.id), 0) held
      from unnest(${ids}::bigint[]) c(id)
      left join (
        select *, min(due_date) filter (where outstanding > 0) over (partition by contract_id) first_due from bill
        where contract_id = any(${ids}::bigint[]) and voided_at is null and direction = 'receivable') b on b.contract_id = c.id
      group by c.id) b
    where m.contract_id = b.id`.execute(act.tx);
}
