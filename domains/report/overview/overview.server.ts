import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { funnelBySource, funnelOf } from "../../customer/lead/funnel.service.ts";
import { CODES } from "../indicator/figure.rules.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem, wanted } from "../indicator/indicator.rules.ts";
import { ageing, expiryOf } from "../indicator/sources.queries.ts";
import {
  RANKED,
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewEmpty,
  overviewEnding,
  overviewExpiry,
  overviewFunnel,
  overviewMoved,
  overviewPlaces,
  overviewRanking,
  overviewSeries,
  overviewVacancy,
  overviewWaterfall,
} from "./overview.contract.ts";
import { cardsOf, rankingOf, seriesOf } from "./overview.queries.ts";
import { placesOf } from "./places.queries.ts";
import { emptyOf, endingOf, movedOf, movesOf, vacancyOf } from "./records.queries.ts";

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
  serveRead(overviewVacancy, async (read, { query }) => {
    wanted((await ruling(read)).shown, ["vacant"], ["vacant"]);
    return vacancyOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf));
  }),

  serveRead(overviewWaterfall, (read, { query }) =>
    movesOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf)),
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
  /** A map of occupancy rates: nothing for whom the rate is nothing. */
  serveRead(overviewPlaces, async (read, { query }) => {
    const { shown } = await ruling(read);
    wanted(shown, CODES, ["occupancyRate"]);
    return placesOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      withRent: ofThem(shown, CODES).includes("avgRent"),
    });
  }),
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
