import { job } from "../../../platform/server/jobs/jobs.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { billPaid } from "../../finance/flow/flow.contract.ts";
import { refundChanged } from "../../finance/refund/refund.contract.ts";
import { letGoHeld } from "../act/part.service.ts";
import { freeThrough } from "./rooms.service.ts";

export default [
  job({
    name: "contract.heldRooms",
    title: "释放超期未签的加房占用",
    cron: "*/5 * * * *",
    work: (act) => letGoHeld(act),
  }),
  /** Also of a bill that was voided or written off, which nobody is told of. */
  job({
    name: "contract.returnThrough",
    title: "退部分房收付完成",
    cron: "37 2 * * *",
    work: (act) => freeThrough(act),
  }),
  job({
    name: "contract.returnPaid",
    on: billPaid,
    work: (act, { contractIds }) => freeThrough(act, contractIds),
  }),
  job({
    name: "contract.returnRefunded",
    on: refundChanged,
    work: async (act, { id }) => {
      const { contractId } = await theRow(act, "refund", ["contractId"], { id });
      if (contractId !== null) await freeThrough(act, [contractId]);
    },
  }),
];
