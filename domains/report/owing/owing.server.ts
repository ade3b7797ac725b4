import { sql } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { expectedLateFees } from "../../finance/latefee/latefee.service.ts";
import { NAMELESS, namesOf } from "./names.queries.ts";
import { owingParties, owingSubjects } from "./options.contract.ts";
import { exportOwing, owingReport, owingSummary } from "./owing.contract.ts";
import { monthEnds, owingRows, owingTotals, villageAges } from "./owing.queries.ts";

/** Only rows of a person, a room or a bill: for whole stores the fee of thousands of bills says nothing. */
const BEARING = ["party", "room", "bill"];

type Found = { keyword?: string | undefined; ids?: number[] | undefined; pageSize: number };
type Named = { id: number; name: string; note: string | null };

const wanted = ({ keyword, ids, pageSize }: Found, id: string, name: string) => sql`
  ${ids?.length ? sql`and ${sql.ref(id)} = ${anyOf(ids)}` : sql``}
  ${keyword ? sql`and ${sql.ref(name)} ilike ${containing(keyword)}` : sql``}
  order by ${sql.ref(name)}, ${sql.ref(id)} limit ${pageSize}`;

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
  /** Whoever was billed in a village in scope. */
  serveRead(owingParties, async (read, { query }) => {
    const { rows } = await sql<Named>`
      select p.id, p.name, p.phone note from party p
      where exists (select from bill b where b.party_id = p.id and b.village_id = ${anyOf(read.who.villages)})
        ${wanted(query, "p.id", "p.name")}`.execute(read.replica);
    return rows.map((row) => ({ ...row, note: row.note ? maskPhone(row.note) : null }));
  }),

  /** What can be owed: everything but costs. */
  serveRead(owingSubjects, async (read, { query }) => {
    const { rows } = await sql<Named>`
      select s.id, s.name, null note from fee_subject s
      where s.enterprise_id = ${read.who.enterpriseId} and s.kind <> 'cost' ${wanted(query, "s.id", "s.name")}`.execute(
      read.replica,
    );
    return rows;
  }),
];
