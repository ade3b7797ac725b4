import { timeInZone } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { owingReport, owingSummary } from "./owing.contract.ts";
import { owingRows } from "./owing.queries.ts";
import { partyFacts, type PartyFacts } from "./party.queries.ts";
import { villageAges, monthEnds } from "./summary.queries.ts";

export default [
  serveRead(owingReport, async (read, { query }) => {
    const day = query.day ?? read.today;
    if (day > read.today) throw invalid({ field: "day", msg: "截至日不能晚于今天" });
    const villages = villagesOf(read.who, query.villageIds);
    const { rows, total, sums } = await owingRows(
      read,
      { ...query, villages, day },
      {
        offset: (query.pageNo - 1) * query.pageSize,
        limit: query.pageSize,
        sort: query.sort ?? "owed",
        order: query.order ?? "desc",
      },
    );
    const facts =
      query.mode === "party"
        ? await partyFacts(
            read,
            rows.map((r) => r.key),
            villages,
          )
        : new Map<number, PartyFacts>();
    return {
      list: rows.map(({ key, ...row }) => {
        const known = facts.get(key);
        return {
          id: key,
          ...row,
          phone: known?.phone ?? null,
          rooms: known?.rooms ?? null,
          contractState: known?.contractState ?? null,
          lateFee: null,
          deposit: known?.deposit ?? null,
          prepaid: known?.prepaid ?? null,
          net: known ? row.owed - known.prepaid : null,
        };
      }),
      total,
      sums,
      day,
      asOf: timeInZone(read.now, read.settings.TIME_ZONE),
    };
  }),

  serveRead(owingSummary, async (read, { query }) => {
    const day = query.day ?? read.today;
    const villages = villagesOf(read.who, query.villageIds);
    const [byVillage, months] = await Promise.all([
      villageAges(read, villages, day),
      monthEnds(read, villages, day),
    ]);
    return { villages: byVillage, months };
  }),
];
