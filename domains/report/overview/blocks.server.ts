import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { funnelBySource, funnelOf } from "../../customer/lead/funnel.service.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { wanted } from "../indicator/indicator.rules.ts";
import { overviewFunnel, overviewVacancy, overviewWaterfall } from "./blocks.contract.ts";
import { movesOf, vacancyOf } from "./empty.queries.ts";

export default [
  serveRead(overviewVacancy, async (read, { query }) => {
    wanted((await ruling(read)).shown, ["vacant"], ["vacant"]);
    return vacancyOf(
      read,
      villagesOf(read.who, query.villageIds),
      minDay(query.asOf ?? read.today, read.today),
    );
  }),

  serveRead(overviewWaterfall, (read, { query }) =>
    movesOf(
      read,
      villagesOf(read.who, query.villageIds),
      query,
      minDay(query.asOf ?? read.today, read.today),
    ),
  ),

  serveRead(overviewFunnel, async (read, { query: { villageIds, from, to } }) => {
    // the dashboard counts the leads of the stores, not only those that its reader works on
    const who = { ...read.who, permits: new Set([...read.who.permits, "#1502"]) };
    const villages = [...villagesOf(read.who, villageIds)];
    const asked = { from, to, villageIds: villages };
    const [{ steps }, sources] = await Promise.all([
      funnelOf({ ...read, who }, asked),
      funnelBySource({ ...read, who }, asked),
    ]);
    return {
      sources,
      steps: steps.map(({ step, count, rate }) => ({ step, count, rate })),
      whole: steps.at(-1)?.whole ?? null,
    };
  }),
];
