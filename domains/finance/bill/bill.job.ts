import { nobody } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { issueDue } from "./bill.service.ts";
import { billsIssued } from "./bills.contract.ts";

/** Bills put on the ledger in one transaction. */
const BATCH = 500;

export default [
  job({
    name: "issueBills",
    title: "账单出账",
    cron: "10 0 * * *",
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      let count = 0;
      for (let issued = BATCH; issued === BATCH; count += issued)
        issued = await db.transaction().execute((tx) => issueDue(actOf(house, tx, nobody, request), BATCH));
      await db.transaction().execute((tx) => actOf(house, tx, nobody, request).emit(billsIssued, {}));
      return count;
    },
  }),
];
