import { sql } from "kysely";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { expectedLateFees } from "../../finance/latefee/latefee.service.ts";
import {
  addFollow,
  exportOwing,
  listFollows,
  owingParties,
  owingReport,
  owingSubjects,
  owingSummary,
} from "./owing.contract.ts";
import { bookedAfter, NAMELESS, namesOf } from "./owed.queries.ts";
import { monthEnds, owingRows, owingTotals, villageAges } from "./owing.queries.ts";

/** Only rows of a person, a room or a bill: for whole stores the fee of thousands of bills says nothing. */
const BEARING = ["party", "room", "bill"];

/** A debtor as the operator may know them: only through bills of the villages in scope. */
async function debtor(read: Read, partyId: number) {
  const { rows } = await sql<{ kind: string; name: string; owing: number[] }>`
    select p.kind, p.name, coalesce((select array_agg(distinct o.village_id order by o.village_id)
      from owing_at(${read.today}, ${read.who.villages as number[]}::bigint[]) o where o.party_id = p.id), '{}') owing
    from party p where p.id = ${partyId}
      and exists (select from bill b where b.party_id = p.id and b.village_id = ${anyOf(read.who.villages)})`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

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
    const villages = villagesOf(read.who, query.villageIds);
    const f = { ...query, villages, day, later: await bookedAfter(read, villages, day) };
    const [rows, totals] = await Promise.all([
      query.want === "totals"
        ? []
        : owingRows(read, f, {
            pageNo: query.pageNo,
            pageSize: query.pageSize,
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
  serveRead(listFollows, async (read, { params: { partyId } }) => {
    await debtor(read, partyId);
    return read.tx
      .selectFrom("owingFollow as w")
      .innerJoin("village as v", "v.id", "w.villageId")
      .leftJoin("operator as o", "o.id", "w.createdBy")
      .select(["w.id", "w.createdAt as at", "v.name as villageName", "w.promiseDay", "w.note"])
      .select(sql<string>`coalesce(o.real_name, '系统')`.as("operatorName"))
      .where("w.partyId", "=", partyId)
      .where("w.villageId", "=", anyOf(read.who.villages))
      .orderBy("w.id", "desc")
      .limit(100)
      .execute();
  }),

  serve(addFollow, async (act, { params: { partyId }, body }) => {
    const { kind, name, owing } = await debtor(act, partyId);
    if (!owing.length) throw new Refusal("notOwing", `${name}没有欠费，无需跟进`);
    const promiseDay = body.promiseDay ?? null;
    if (promiseDay && promiseDay < act.today)
      throw invalid({ field: "promiseDay", msg: "承诺付款日不能早于今天" });
    const made = await act.tx
      .insertInto("owingFollow")
      .values(
        owing.map((villageId) => ({
          partyId,
          villageId,
          promiseDay,
          note: body.note,
          createdAt: act.now.toISOString(),
          createdBy: act.who.operatorId,
        })),
      )
      .returning("id")
      .execute();
    const summary = `登记欠费跟进${promiseDay ? `，承诺 ${promiseDay} 付款` : ""}：${body.note}`;
    await act.note(
      owing.map((villageId) => ({ kind, recordId: partyId, villageId, action: "follow", summary })),
    );
    return { id: made[0]!.id };
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
