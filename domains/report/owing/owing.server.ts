import { invalid } from "../../../platform/kernel/refusal.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { expectedLateFees } from "../../finance/latefee/latefee.service.ts";
import { exportOwing, owingReport, owingSummary } from "./owing.contract.ts";
import { owingRows, owingTotals } from "./owing.queries.ts";
import { NAMELESS, namesOf } from "./names.queries.ts";
import { villageAges, monthEnds } from "./summary.queries.ts";

/** Only rows of a person, a room or a bill: for whole stores the fee of thousands of bills says nothing. */
const BEARING = ["party", "room", "bill"];

export default [
  exportList(exportOwing),

  serveRead(owingReport, async (read, { query }) => {
    const day = query.day ?? read.today;
    if (day > read.today) throw invalid({ field: "day", msg: "截至日不能晚于今天" });
    const f = { ...query, villages: villagesOf(read.who, query.villageIds), day };
    const [rows, totals] = await Promise.all([
      query.want === "totals"
        ? []
        : owingRows(read, f, {
            offset: (query.pageNo - 1) * query.pageSize,
            limit: query.pageSize,
            sort: query.sort ?? "owed",
            order: query.order ?? "desc",
          }),
      query.want === "rows" ? { total: null, sums: null } : owingTotals(read, f),
    ]);
    const bearing = BEARING.includes(f.mode) ? rows.flatMap((r) => r.billIds) : [];
    const [names, fees] = await Promise.all([
      namesOf(
        read,
        f,
        rows.map((r) => r.key),
      ),
      expectedLateFees(read, bearing, day),
    ]);
    const list = rows.map(({ key, billIds, ...row }) => ({
      ...(names.get(key) ?? { ...NAMELESS, rooms: f.mode === "room" ? "未关联房间" : null }),
      ...row,
      id: key,
      lateFee: bearing.length ? billIds.reduce((sum, id) => sum + (fees.get(id) ?? 0), 0) : null,
    }));
    return { list, ...totals };
  }),

  serveRead(owingSummary, async (read, { query }) => {
    const day = query.day ?? read.today;
    if (day > read.today) throw invalid({ field: "day", msg: "截至日不能晚于今天" });
    const villages = villagesOf(read.who, query.villageIds);
    const [byVillage, months] = await Promise.all([
      villageAges(read, villages, day),
      monthEnds(read, villages, day),
    ]);
    return { villages: byVillage, months };
  }),
];
