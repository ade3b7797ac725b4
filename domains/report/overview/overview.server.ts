import { exportList } from "../../../platform/server/export.ts";
import { minDay } from "../../../platform/kernel/day.ts";
import { villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { expiryOf } from "./leases.queries.ts";
import { ageing } from "./money.queries.ts";
import {
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewExpiry,
  overviewRanking,
  overviewSeries,
} from "./overview.contract.ts";
import { cardsOf, rankingOf, seriesOf } from "./overview.queries.ts";

const asOfOf = (read: { today: string }, asOf: string | undefined) => minDay(asOf ?? read.today, read.today);

export default [
  exportList(exportRanking),

  serveRead(overviewCards, async (read, { query }) =>
    cardsOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf), query.against),
  ),

  serveRead(overviewSeries, async (read, { query }) =>
    seriesOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf)),
  ),

  serveRead(overviewAgeing, async (read, { query }) =>
    ageing(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf)),
  ),

  serveRead(overviewExpiry, async (read, { query }) =>
    expiryOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf)),
  ),

  serveRead(overviewRanking, async (read, { query }) => {
    const { sort = "occupancyRate", order = "desc", pageNo, pageSize } = query;
    const { rows, whole } = await rankingOf(
      read,
      villagesOf(read.who, query.villageIds),
      query,
      asOfOf(read, query.asOf),
    );
    const sign = order === "asc" ? 1 : -1;
    // what is not known stands last whichever way
    const sorted = rows.toSorted((a, b) => {
      const [x, y] = [a[sort], b[sort]];
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
