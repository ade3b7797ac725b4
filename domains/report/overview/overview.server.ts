import { exportList } from "../../../platform/server/sheets/export.ts";
import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { wanted } from "../indicator/indicator.rules.ts";
import { expiryOf } from "./leases.queries.ts";
import { ageing } from "./money.queries.ts";
import {
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewExpiry,
  overviewRanking,
  overviewSeries,
  RANKED,
} from "./overview.contract.ts";
import { cardsOf, seriesOf } from "./overview.queries.ts";
import { CODES } from "./overview.rules.ts";
import { rankingOf } from "./ranking.queries.ts";

const asOfOf = (read: { today: string }, asOf: string | undefined) => minDay(asOf ?? read.today, read.today);

export default [
  exportList(exportRanking),

  serveRead(overviewCards, async (read, { query }) => {
    const { shown, rules } = await ruling(read);
    const codes = wanted(shown, CODES, query.codes);
    const { against } = query;
    return cardsOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf), {
      against,
      codes,
      rules,
    });
  }),

  serveRead(overviewSeries, async (read, { query }) => {
    const { shown } = await ruling(read);
    const codes = wanted(shown, CODES, query.codes);
    return seriesOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf), codes);
  }),

  /** The arrears by age: nothing for whom the arrears are nothing. */
  serveRead(overviewAgeing, async (read, { query }) => {
    wanted((await ruling(read)).shown, CODES, ["arrears"]);
    return ageing(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf));
  }),

  serveRead(overviewExpiry, async (read, { query }) =>
    expiryOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf)),
  ),

  serveRead(overviewRanking, async (read, { query }) => {
    const { order = "desc", pageNo, pageSize } = query;
    const { shown, rules } = await ruling(read);
    const codes = wanted(shown, RANKED, query.codes);
    const sort = query.sort ?? codes[0] ?? "rooms";
    // an order tells as much as the figure
    const figure = RANKED.find((code) => code === sort);
    if (figure) wanted(shown, RANKED, [figure]);
    const { rows, whole } = await rankingOf(
      read,
      villagesOf(read.who, query.villageIds),
      query,
      asOfOf(read, query.asOf),
      { codes: figure && !codes.includes(figure) ? [...codes, figure] : codes, rules },
    );
    const sign = order === "asc" ? 1 : -1;
    // what is not known stands last whichever way
    const sorted = rows.toSorted((a, b) => {
      const [x = null, y = null] = [a[sort], b[sort]];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      const by = typeof x === "string" ? x.localeCompare(String(y), "zh") : x - Number(y);
      return by * sign || a.id - b.id;
    });
    return {
      list: sorted.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      total: rows.length,
      sums: whole,
    };
  }),
];
