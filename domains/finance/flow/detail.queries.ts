import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { logOf } from "../bill/detail.queries.ts";
import { entriesShown } from "../journal/shown.queries.ts";
import type { flowDetail } from "./flow.contract.ts";
import { flows } from "./list.queries.ts";

type Detail = z.input<typeof flowDetail>;

export async function flowDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await flows.one(read, id);
  const allocations = await allocationsOf(read, id);
  return {
    ...row,
    ...(await headOf(read, id)),
    today: read.today,
    files: (await filesOf(read, "flow", [id])).get(id) ?? [],
    allocations,
    entries: await entriesShown(read, [
      { type: "flow", ids: [id] },
      { type: "allocation", ids: allocations.map((a) => a.id) },
    ]),
    log: await logOf(read, "flow", id),
  };
}

type Head = Pick<
  Detail,
  | "partyPhone"
  | "paidOn"
  | "outTradeNo"
  | "payerAccount"
  | "confirmedAt"
  | "confirmer"
  | "reversedAt"
  | "reverseReason"
  | "createdAt"
>;

async function headOf(read: Read, id: number): Promise<Head> {
  const { rows } = await sql<Head>`
    select p.phone "partyPhone", f.paid_on "paidOn", f.out_trade_no "outTradeNo", f.payer_account "payerAccount",
      f.confirmed_at "confirmedAt", o.real_name confirmer, f.reversed_at "reversedAt",
      f.reverse_reason "reverseReason", f.created_at "createdAt"
    from flow f left join operator o on o.id = f.confirmed_by
    left join party p on p.id = f.party_id where f.id = ${id}`.execute(read.tx);
  const head = rows[0]!;
  return { ...head, partyPhone: head.partyPhone && maskPhone(head.partyPhone) };
}

async function allocationsOf(read: Read, flowId: number): Promise<Detail["allocations"]> {
  const { rows } = await sql<Detail["allocations"][number]>`
    select a.id, a.date, a.bill_id "billId", b.bill_no "billNo", s.name subject, b.due_date "dueDate",
      l.period_start "periodStart", l.period_end "periodEnd", a.amount,
      a.undoes_id "undoesId", exists(select from allocation u where u.undoes_id = a.id) undone,
      coalesce(o.real_name, '系统') operator
    from allocation a join bill b on b.id = a.bill_id join bill_line l on l.id = a.bill_line_id
    join fee_subject s on s.id = l.fee_subject_id left join operator o on o.id = a.created_by
    where a.flow_id = ${flowId} order by a.id`.execute(read.tx);
  return rows;
}
