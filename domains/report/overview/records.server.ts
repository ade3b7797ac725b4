import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { wanted } from "../indicator/indicator.rules.ts";
import { overviewEmpty, overviewEnding, overviewMoved } from "./records.contract.ts";
import { emptyOf, endingOf, movedOf } from "./records.queries.ts";

const asOfOf = (read: { today: string }, asOf: string | undefined) => minDay(asOf ?? read.today, read.today);

export default [
  serveRead(overviewMoved, async (read, { query }) =>
    movedOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      part: query.part,
      page: query,
    }),
  ),
  /** The rooms behind a figure: nothing for whom the figure is nothing. */
  serveRead(overviewEmpty, async (read, { query }) => {
    wanted((await ruling(read)).shown, ["vacant"], ["vacant"]);
    return emptyOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf), query);
  }),
  serveRead(overviewEnding, async (read, { query }) =>
    endingOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      part: query.part,
      page: query,
    }),
  ),
];
