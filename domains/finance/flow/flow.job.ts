import { nobody } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { prepaidHolders, usePrepaid, type Holder } from "./allocate.service.ts";
import { billsIssued } from "../bill/events.contract.ts";

export default [
  job({
    name: "autoUsePrepaid",
    on: billsIssued,
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      let holders: Holder[] = await prepaidHolders({ tx: db });
      while (holders.length) {
        // each party in a transaction of its own: one that is refused does not hold up the others
        for (const holder of holders)
          await db
            .transaction()
            .execute((tx) => usePrepaid(actOf(house, tx, nobody, request), holder))
            .catch((error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
            });
        holders = await prepaidHolders({ tx: db }, holders.at(-1));
      }
    },
  }),
];
