import { type Act, nobody } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { prepaidHolders, usePrepaid, type Holder } from "./allocate.service.ts";
import { billsIssued, billVoided } from "../bill/events.contract.ts";
import { endUnfit } from "../checkout/checkout.service.ts";
import { billPaid } from "./flow.contract.ts";

/** Codes that ask for more than is owed by now are taken back; one whose channel does not answer is left to its time. */
const unfit = (act: Act, { billIds }: { billIds: number[] }, house: House) =>
  endUnfit({ ...act, tx: house.database.db }, billIds, (work) =>
    house.database.db
      .transaction()
      .execute((tx) => work(actOf(house, tx, nobody, { requestId: act.requestId, ip: "", userAgent: "job" })))
      .then(
        () => {},
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        },
      ),
  );

export default [
  job({
    name: "autoUsePrepaid",
    title: "预存款自动抵扣",
    // as soon as bills are issued; by the clock once more after that, for what was refused or came meanwhile
    cron: "20 0 * * *",
    on: billsIssued,
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      let paid = 0;
      let failure: unknown;
      let holders: Holder[] = await prepaidHolders({ tx: db });
      while (holders.length) {
        // each party in a transaction of its own: one that fails does not hold up the others
        for (const holder of holders)
          await db
            .transaction()
            .execute((tx) => usePrepaid(actOf(house, tx, nobody, request), holder))
            .then((used) => void (used && paid++))
            .catch((error: unknown) => {
              if (!(error instanceof Refusal)) failure ??= error;
            });
        holders = await prepaidHolders({ tx: db }, holders.at(-1));
      }
      if (failure) throw failure;
      return paid;
    },
  }),
  job({ name: "checkout.paid", on: billPaid, transaction: false, work: unfit }),
  job({ name: "checkout.voided", on: billVoided, transaction: false, work: unfit }),
];
