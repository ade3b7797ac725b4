import { job } from "../../../platform/server/jobs/jobs.ts";
import { countIncome } from "./income.service.ts";

export default [
  job({
    name: "income.count",
    title: "权责收入汇总",
    cron: "* * * * *",
    transaction: false,
    work: (_act, _data, house) => countIncome(house.database.db),
  }),
];
