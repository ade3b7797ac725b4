import { daysBetween, timeInZone, type Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { collectionDetail, dailyCollection } from "./collection.contract.ts";
import { collected, isLocked, refunded, type CollectionFilter } from "./collection.queries.ts";
import { lineOf } from "./collection.rules.ts";
import { detailRows } from "./detail.queries.ts";

type Query = {
  villageIds?: number[] | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
  channel?: string[] | undefined;
  accountIds?: number[] | undefined;
  operatorIds?: number[] | undefined;
};

function filterOf(read: Read, query: Query): CollectionFilter {
  const from = query.from ?? read.today;
  const to = query.to ?? (query.from ? query.from : read.today);
  if (to < from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
  if (daysBetween(from, to) > 366) throw invalid({ field: "to", msg: "日期范围最多366天" });
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
  serveRead(dailyCollection, async (read, { query }) => {
    const f = filterOf(read, query);
    const [rows, refunds, locked] = await Promise.all([
      collected(read, f),
      refunded(read, f),
      isLocked(read, f),
    ]);
    const days = [...new Set([...rows.map((r) => r.day), ...refunds.keys()])].toSorted();
    if (query.order !== "asc") days.reverse();
    const page = days.slice((query.pageNo - 1) * query.pageSize, query.pageNo * query.pageSize);
    const names = await read.tx
      .selectFrom("village")
      .select(["id", "name"])
      .where("id", "=", anyOf(f.villages))
      .execute();
    return {
      list: page.map((day) => ({
        id: day,
        day,
        ...lineOf(
          rows.filter((r) => r.day === day),
          refunds.get(day) ?? 0,
        ),
      })),
      total: days.length,
      sums: lineOf(
        rows,
        [...refunds.values()].reduce((a, b) => a + b, 0),
      ),
      asOf: timeInZone(read.now, read.settings.TIME_ZONE),
      locked,
      byVillage: names.map(({ id, name }) => ({
        villageId: id,
        name,
        total: rows.filter((r) => r.villageId === id).reduce((sum, r) => sum + r.amount, 0),
      })),
    };
  }),

  serveRead(collectionDetail, async (read, { query }) => detailRows(read, filterOf(read, query), query)),
];
