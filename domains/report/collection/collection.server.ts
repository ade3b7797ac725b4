import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  collectionAccounts,
  collectionDetail,
  collectionOperators,
  dailyCollection,
  exportCollection,
  exportCollectionDetail,
} from "./collection.contract.ts";
import {
  type CollectionFilter,
  accounts,
  collected,
  detailRows,
  operators,
  refunded,
} from "./collection.queries.ts";
import { idOfDay, lineOf } from "./collection.rules.ts";

type Query = {
  villageIds?: number[] | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
  channel?: string[] | undefined;
  accountIds?: number[] | undefined;
  operatorIds?: number[] | undefined;
};

/** One day when only one end is given, today when none is. */
function filterOf(read: Read, query: Query): CollectionFilter {
  const from = query.from ?? query.to ?? read.today;
  const to = query.to ?? from;
  if (to < from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
  if (daysBetween(from, to) > 366) throw invalid({ field: "to", msg: "日期范围最多 366 天" });
  return {
    villages: villagesOf(read.who, query.villageIds),
    from,
    to,
    channels: query.channel,
    accountIds: query.accountIds,
    operatorIds: query.operatorIds,
  };
}

export default [
  exportList(exportCollection),
  exportList(exportCollectionDetail),

  serveRead(dailyCollection, async (read, { query }) => {
    const f = filterOf(read, query);
    const [rows, refunds] = await Promise.all([collected(read, f), refunded(read, f)]);
    const days = [...new Set([...rows.map((r) => r.day), ...refunds.keys()])].toSorted();
    if (query.order !== "asc") days.reverse();
    const page = days.slice((query.pageNo - 1) * query.pageSize, query.pageNo * query.pageSize);
    const byDay = Map.groupBy(rows, (r) => r.day);
    const refund = [...refunds.values()].reduce((a, b) => a + b, 0);
    return {
      list: page.map((day) => ({
        id: idOfDay(day),
        day,
        ...lineOf(byDay.get(day) ?? [], refunds.get(day) ?? 0),
      })),
      total: days.length,
      sums: lineOf(rows, refund),
    };
  }),
  serveRead(collectionDetail, async (read, { query }) => detailRows(read, filterOf(read, query), query)),
  serveRead(collectionAccounts, async (read, { query }) => accounts(read, query)),
  serveRead(collectionOperators, async (read, { query }) => operators(read, query)),
];
