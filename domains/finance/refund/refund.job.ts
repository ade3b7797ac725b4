import { sql } from "kysely";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { dropRefund } from "./refund.service.ts";
import { readRefund } from "./refund.queries.ts";
import { pursue } from "./attempt.service.ts";
import { examineEnded } from "../../approval/examine/examine.contract.ts";
import { refundSent } from "./refund.contract.ts";

const REQUEST = { requestId: "", ip: "", userAgent: "" };

/** Each attempt in a transaction of its own: one channel's silence holds nobody else up. */
const alone = (house: House, id: number, first: boolean): Promise<void> =>
  house.database.db.transaction().execute((tx) => pursue(actOf(house, tx, nobody, REQUEST), id, first));

export default [
  job({
    name: "refund.send",
    on: refundSent,
    transaction: false,
    work: async (_act, { id }, house) => alone(house, id, true),
  }),
  job({
    name: "refund.ask",
    title: "查询退款结果",
    cron: "* * * * *",
    transaction: false,
    work: async ({ now }, _data, house) => {
      const { rows } = await sql<{ id: number; refundNo: string }>`
        select id, (select refund_no from refund where id = refund_id) "refundNo" from refund_attempt where state in ('requested', 'unknown') and route = 'channel'
          and next_ask_at <= ${now.toISOString()} order by next_ask_at limit 200`.execute(house.database.db);
      return eachAlone(
        rows,
        ({ refundNo }) => refundNo,
        ({ id }) => alone(house, id, false),
      );
    },
  }),
  job({
    name: "refund.examined",
    on: examineEnded,
    work: async (act, data) => {
      const { type, state, recordId } = data;
      if (type !== "refund" || (state !== "rejected" && state !== "withdrawn")) return;
      const r = await readRefund(act, Number(recordId), true);
      if (r?.status !== "approving") return;
      const reason = state === "rejected" ? "审批未通过" : "申请人撤回";
      await dropRefund(act, r, state === "rejected" ? "rejected" : "cancelled", reason);
    },
  }),
];
