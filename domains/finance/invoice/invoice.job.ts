import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { type Act, nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { billPaid } from "../flow/flow.contract.ts";
import { apply, batchOf } from "./apply.service.ts";
import { invoiceDue } from "./invoice.contract.ts";
import { readInvoice } from "./invoice.queries.ts";
import { issue } from "./issue.service.ts";
import { tend } from "./tend.service.ts";

const REQUEST = { requestId: "", ip: "", userAgent: "job" };

/** Paid bills of stores that want it are invoiced by themselves, each by itself; what lacks a title or an address waits for a person. */
async function invoicePaid(house: House, billIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ billNo: string; lineIds: number[]; villageId: number }>`
    select b.bill_no "billNo", b.village_id "villageId", array_agg(l.id order by l.id) "lineIds"
    from bill b join einvoice_village v on v.village_id = b.village_id join einvoice_config c on c.id = v.config_id
    join bill_line l on l.bill_id = b.id and l.amount > 0 and l.kind in ('normal', 'lateFee')
      and l.settled > l.invoiced + l.invoicing
    where b.id = ${anyOf(billIds)} and b.status = 'paid' and c.enabled and c.auto_invoice = 'onPaid' and c.driver <> 'manual'
    group by b.id order by b.id`.execute(house.database.db);
  const make = async (act: Act, lineIds: number[]): Promise<number> => {
    let made = 0;
    const { groups } = await batchOf(act, lineIds, { lock: true });
    for (const { of } of groups) {
      if (!of) continue;
      const { ids, waiting } = await apply(act, { ...of, byItself: true });
      if (waiting) continue;
      for (const id of ids) await issue(act, (await readInvoice(act, id))!);
      made += ids.length;
    }
    return made;
  };
  return eachAlone(
    rows,
    ({ billNo }) => billNo,
    ({ lineIds, villageId }) =>
      house.database.db
        .transaction()
        .execute((tx) => make(actOf(house, tx, { ...nobody, villages: [villageId] }, REQUEST), lineIds))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          return 0;
        }),
  );
}

export default [
  job({
    name: "invoice.send",
    on: invoiceDue,
    transaction: false,
    work: async (_act, { id }, house) => tend(house, id),
  }),
  job({
    name: "invoice.ask",
    title: "查询开票结果",
    cron: "* * * * *",
    transaction: false,
    work: async ({ now }, _data, house) => {
      const { rows } = await sql<{ id: number; applyNo: string }>`
        select id, apply_no "applyNo" from invoice where state = 'issuing' and next_ask_at <= ${now.toISOString()}
        union all select id, apply_no from invoice where files_due order by id limit 200`.execute(
        house.database.db,
      );
      return eachAlone(
        rows,
        ({ applyNo }) => applyNo,
        ({ id }) => tend(house, id),
      );
    },
  }),
  job({
    name: "invoice.paid",
    on: billPaid,
    transaction: false,
    work: async (_act, { billIds }, house) => invoicePaid(house, billIds),
  }),
];
