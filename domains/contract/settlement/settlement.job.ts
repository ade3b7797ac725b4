import { sql } from "kysely";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { examineEnded } from "../../approval/examine/examine.contract.ts";
import { billPaid, billReopened } from "../../finance/flow/flow.contract.ts";
import { refundSent } from "../../finance/refund/refund.contract.ts";
import { closeLeaving, freeRooms } from "../../listing/occupancy/occupancy.service.ts";
import { reopen } from "../act/part.service.ts";
import { configOf } from "../config/config.service.ts";
import { recordById } from "../contract/record.queries.ts";

/**
 * Settlements of some contracts whose money is through: the refund is paid and no bill is open. The rooms are free now where
 * the settings wait for it.
 */
export async function finishPaid(act: Act, contractIds: readonly number[]): Promise<void> {
  if (!contractIds.length) return;
  const { rows } = await sql<{ id: number; contractId: number; version: number }>`
    select a.id, a.contract_id "contractId", a.version from contract_act a
    where a.contract_id = any(${contractIds as number[]}::bigint[]) and a.kind = 'settle' and a.state = 'toPay'
      and not exists (select from refund r where r.id = a.refund_id and r.state not in ('paid', 'cancelled', 'rejected'))
      and not exists (select from bill b where b.contract_id = a.contract_id and b.outstanding > 0)
    order by a.id for no key update of a`.execute(act.tx);
  for (const { id, contractId, version } of rows) {
    await revise(act, "contractAct", { id, version }, { state: "done", ...stamp(act) });
    const contract = (await recordById(act, contractId))!;
    if ((await configOf(act, contract)).freeRoomAt === "paid") await freeRooms(act, { contractId });
    await closeLeaving(act, { contractId });
  }
}

async function contractsOfBills(act: Act, billIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct contract_id id from bill where id = any(${billIds as number[]}::bigint[]) and contract_id is not null`.execute(
    act.tx,
  );
  return rows.map((r) => r.id);
}

export default [
  job({
    name: "settlement.refunded",
    on: refundSent,
    work: async (act, { id }) => {
      const row = await act.tx
        .selectFrom("refund")
        .select("contractId")
        .where("id", "=", id)
        .executeTakeFirst();
      if (row?.contractId) await finishPaid(act, [row.contractId]);
    },
  }),
  job({ name: "settlement.paid", on: billPaid, work: (act, data) => finishPaid(act, data.contractIds) }),
  job({
    name: "settlement.reopened",
    on: billReopened,
    /** Money of a settlement that was through was taken back. */
    work: async (act, data) => {
      const ids = await contractsOfBills(act, data.billIds);
      const { rows } = await sql<{ id: number; version: number }>`
        select a.id, a.version from contract_act a
        where a.kind = 'settle' and a.state = 'done' and a.contract_id = any(${ids}::bigint[])
          and exists (select from bill b where b.contract_id = a.contract_id and b.outstanding > 0)
        for no key update`.execute(act.tx);
      for (const seen of rows) await revise(act, "contractAct", seen, { state: "toPay", ...stamp(act) });
    },
  }),
  job({
    name: "settlement.examined",
    on: examineEnded,
    work: async (act, data) => {
      if (data.kind === "settlement" && ["rejected", "withdrawn"].includes(data.state))
        await reopen(act, data.recordId);
    },
  }),
];
