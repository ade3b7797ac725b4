import { villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { funnelOf } from "../../customer/lead/funnel.service.ts";
import { overviewFunnel, overviewVacancy, overviewWaterfall } from "./blocks.contract.ts";
import { movesOf, vacancyOf } from "./empty.queries.ts";

export default [
  serveRead(overviewVacancy, (read, { query }) => vacancyOf(read, villagesOf(read.who, query.villageIds))),

  serveRead(overviewWaterfall, (read, { query }) =>
    movesOf(read, villagesOf(read.who, query.villageIds), query),
  ),

  serveRead(overviewFunnel, async (read, { query: { villageIds, from, to } }) => {
    // the dashboard counts the leads of the stores, not only those that its reader works on
    const who = { ...read.who, permits: new Set([...read.who.permits, "#1502"]) };
    const villages = [...villagesOf(read.who, villageIds)];
    const { steps } = await funnelOf({ ...read, who }, { from, to, villageIds: villages });
    return {
      steps: steps.map(({ step, count, rate }) => ({ step, count, rate })),
      whole: steps.at(-1)?.whole ?? null,
    };
  }),
];
