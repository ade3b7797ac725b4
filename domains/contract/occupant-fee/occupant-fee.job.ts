import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { billOccupants, dueOccupantFees } from "./occupant-fee.service.ts";
import { recordById } from "../contract/record.queries.ts";

export default [
  job({
    name: "contracts.occupantFees",
    title: "入住人费用出账",
    cron: "20 6 * * *",
    transaction: false,
    // each contract by itself: what stands in the way of one leaves the others
    work: async (act, _data, house) => {
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      return eachAlone(
        await dueOccupantFees(act),
        ({ contractNo }) => contractNo,
        ({ id }) =>
          house.database.db.transaction().execute(async (tx) => {
            const system = actOf(house, tx, nobody, request);
            const { villageId, enterpriseId } = (await recordById(system, id))!;
            const who = { ...nobody, enterpriseId, villages: [villageId] };
            return billOccupants({ ...system, who }, id);
          }),
      );
    },
  }),
];
