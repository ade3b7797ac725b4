import { job } from "../../../platform/server/jobs/jobs.ts";
import { titlesJoined } from "../../party/title/title.contract.ts";

export default [
  job({
    name: "contract.titlesJoined",
    on: titlesJoined,
    work: async (act, { titles }) => {
      for (const { goneId, keepId } of titles)
        await act.tx
          .updateTable("contract")
          .set({ invoiceTitleId: keepId })
          .where("invoiceTitleId", "=", goneId)
          .execute();
    },
  }),
];
