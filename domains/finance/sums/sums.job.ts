import { job } from "../../../platform/server/jobs/jobs.ts";
import { foldSums } from "./sums.service.ts";

export default [
  job({
    name: "sums.fold",
    title: "收款应收与收入汇总",
    cron: "* * * * *",
    transaction: false,
    work: (_act, _data, house) => foldSums(house.database.db),
  }),
];
