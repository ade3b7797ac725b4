import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { voidBills } from "../../finance/bill/bill.service.ts";
import { closeBalances } from "../../finance/opening/opening.service.ts";
import { release } from "../../listing/occupancy/occupancy.service.ts";
import type { Batch } from "../../system/import/batch.service.ts";
import { type Outcome, refuseHanging } from "../../system/import/importer.service.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { contractVoided } from "../../customer/commission/commission.contract.ts";

type Standing = {
  id: number;
  /** Number and tenant, as refusals call it. */
  name: string;
  contractNo: string;
  kind: ContractKind;
  villageId: number;
  partyId: number;
  deposit: Fen;
  prepaid: Fen;
  roomIds: number[];
  why: string | null;
};

/** Bills, or lines of the timelines, that are written at once. */
const STEP = 2_000;

/** The contracts of a batch, locked, each with what has happened to it since. */
async function standing(act: Act, importId: number): Promise<Standing[]> {
  await sql`select from contract where import_id = ${importId} order by id for no key update`.execute(act.tx);
  const { rows } = await sql<Standing>`
    select c.id, c.contract_no "contractNo", c.kind, c.village_id "villageId", c.party_id "partyId", c.contract_no || ' ' || c.party_name name,
      (c.opening->>'deposit')::bigint deposit, (c.opening->>'prepaid')::bigint prepaid,
      (select array_agg(room_id order by seq) from contract_room where contract_id = c.id) "roomIds",
      case when b.paid then '已收款' when b.invoiced then '已开发票'
        when c.state <> 'effective' or c.version > 1 then '合同已变更'
        when b.changed then '账单已变更' when b.added then '有后来的账单'
        when coalesce(d.held, 0) <> (c.opening->>'deposit')::bigint then '押金已变动'
        when exists (select from contract_act a where a.contract_id = c.id and a.state not in ('rejected', 'cancelled'))
          then '正在办理退房'
        when c.kind = 'company' and exists (select from contract_occupant o where o.contract_id = c.id
          and (o.to_date is null or o.to_date >= ${act.today}::date)) then '已登记入住人' end why
    from contract c join contract_import i on i.id = c.import_id
    left join lateral (select sum(held) held from deposit_balance where contract_id = c.id) d on true
    left join lateral (
      select bool_or(x.settled > 0 or x.written_off > 0) paid, bool_or(x.invoiced > 0) invoiced,
        bool_or(x.created_at > i.done_at) added,
        bool_or(x.voided_at is not null or exists (select from bill_line l where l.bill_id = x.id
          and l.kind <> 'lateFee' and l.created_at > i.done_at)) changed
      from bill x where x.contract_id = c.id) b on true
    where c.import_id = ${importId} order by c.id`.execute(act.tx);
  return rows;
}

const refuse = (contracts: readonly Standing[]) =>
  refuseHanging(contracts, (count) => `${count} 份合同`, true);

/**
 * Takes a batch back: bills and contracts are voided, opening balances mirrored, rooms free again. Tenants and firms stay
 * registered. Refused as a whole, naming the contracts, once anything was paid or changed.
 */
export async function takeBack(act: Act, batch: Batch): Promise<Outcome> {
  const contracts = await standing(act, batch.id);
  refuse(contracts);
  const used = new Set(
    await closeBalances(
      act,
      contracts.map((c) => ({ ...c, contractId: c.id })),
    ),
  );
  refuse(contracts.map((c) => ({ ...c, why: used.has(c.id) ? "预存款已使用" : null })));
  const reason = `撤销导入 ${batch.number}`;
  const { rows: bills } = await sql<{ id: number }>`
    select b.id from bill b join contract c on c.id = b.contract_id where c.import_id = ${batch.id} order by b.id`.execute(
    act.tx,
  );
  for (let at = 0; at < bills.length; at += STEP)
    await voidBills(
      act,
      bills.slice(at, at + STEP).map((b) => b.id),
      reason,
    );
  for (const { id } of contracts) await release(act, { contractId: id });
  await sql`
    update contract set state = 'voided', void_reason = ${reason}, version = version + 1, updated_at = ${act.now},
      updated_by = ${act.who.operatorId || null}
    where import_id = ${batch.id}`.execute(act.tx);
  const entry = { action: "撤销导入", summary: `${reason}，合同作废，期初余额冲回` };
  const lines = contracts.flatMap((c) => {
    const about = { ...entry, number: c.contractNo, villageId: c.villageId };
    return [
      { ...about, kind: "contract", recordId: c.id },
      { ...about, kind: c.kind, recordId: c.partyId },
      ...c.roomIds.map((recordId) => ({ ...about, kind: "room", recordId })),
    ];
  });
  for (let at = 0; at < lines.length; at += STEP) await act.note(lines.slice(at, at + STEP));
  for (const c of contracts) await act.emit(contractVoided, { contractId: c.id, villageId: c.villageId });
  return { count: contracts.length, reply: { contracts: contracts.length } };
}
