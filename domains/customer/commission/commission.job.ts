import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { dropBatch } from "./bill.service.ts";
import { clawEarly, noteCommission, tellOwner, undoContract } from "./claw.service.ts";
import { examineEnded } from "../../approval/examine/examine.contract.ts";
import { roomsLeft } from "../../listing/occupancy/occupancy.contract.ts";
import { contractVoided } from "./commission.contract.ts";
import { costPaid } from "../../finance/flow/flow.contract.ts";
import { billVoided } from "../../finance/bill/events.contract.ts";

/** Rooms of a contract were given back. It has ended once none of them is lived in any more. */
export async function clawWhoLeft(act: Act, contractId: number, day: Day): Promise<void> {
  const { rows } = await sql<{ left: Day }>`
    select least(coalesce(c.leave_date, ${day}::date), ${day}::date) "left" from contract_brief c
    where c.id = ${contractId} and not exists (select 1 from occupancy_row o
      where o.contract_id = c.id and o.kind = 'lease' and not exists (select 1 from room_leaving w
        where w.contract_id = c.id and w.room_id = o.room_id and w.ended_on is not null and not w.withdrawn))`.execute(
    act.tx,
  );
  if (rows[0]) await clawEarly(act, contractId, rows[0].left);
}

/** A bill for commissions is paid: whoever looks after the customers is told. */
export async function tellPaid(act: Act, billId: number): Promise<void> {
  const { rows } = await sql<{
    id: number;
    number: string;
    villageId: number;
    ownerId: number | null;
    agentName: string;
    amount: number;
    billNo: string;
  }>`select c.id, c.number, c.village_id "villageId", c.owner_id "ownerId", a.name "agentName", c.amount, b.bill_no "billNo"
    from commission c join bill b on b.id = c.bill_id join agent a on a.id = c.agent_id
    where b.id = ${billId} and b.status = 'paid' order by c.id`.execute(act.tx);
  for (const row of rows) {
    const said = `佣金 ${row.number} ${yuan(row.amount)} 元已随账单 ${row.billNo} 支付`;
    await noteCommission(act, row, "支付", said);
    await tellOwner(act, row, `佣金已支付：${row.agentName}`, said, `commission.paid.${row.id}.${billId}`);
  }
}

const batches = (act: Act, billIds: readonly number[]) =>
  act.tx
    .selectFrom("commission")
    .select("batchId")
    .distinct()
    .where("billId", "in", [...billIds, 0])
    .execute();

export default [
  job({
    name: "commission.undone",
    on: contractVoided,
    work: (act, data) => undoContract(act, data.contractId),
  }),
  job({
    name: "commission.clawed",
    on: roomsLeft,
    work: (act, data) => clawWhoLeft(act, data.contractId, data.day),
  }),
  job({
    name: "commission.paid",
    on: costPaid,
    work: (act, data) => tellPaid(act, data.billId),
  }),
  job({
    name: "commission.dropped",
    on: billVoided,
    work: async (act, data) => {
      for (const { batchId } of await batches(act, data.billIds))
        if (batchId) await dropBatch(act, batchId, "佣金账单已作废，佣金恢复为待结算");
    },
  }),
  job({
    name: "commission.examined",
    on: examineEnded,
    work: async (act, data) => {
      if (data.type === "commission" && data.state !== "approved")
        await dropBatch(act, data.recordId, "结算未通过审批，佣金恢复为待结算");
    },
  }),
];
