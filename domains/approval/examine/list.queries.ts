import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import {
  among,
  amongWords,
  from,
  fromDay,
  keyword,
  phrase,
  to,
  toDay,
  type Sql,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { listExamines, type ExamineRow } from "./examine.contract.ts";
import { NODE_TEXT } from "./propose.service.ts";
import { approvable } from "./registry.service.ts";
import { isLate, rejectedOfMine, waitsForMe } from "./waiting.service.ts";
import type { Box } from "./engine.rules.ts";

type Found = Omit<ExamineRow, "typeName" | "page" | "factText"> & {
  keyFacts: [string, string][];
  opensPage: string | null;
};

const BOX: Record<Box, (read: Read) => Sql> = {
  mine: waitsForMe,
  sent: ({ who }) => sql`e.submitter_id = ${who.operatorId}`,
  returned: rejectedOfMine,
  done: ({
    who,
  }) => sql`e.id in (select s.examine_id from examine_step s where s.operator_id = ${who.operatorId}
    and s.state in ('approved', 'rejected', 'returned', 'transferred'))`,
  all: ({ who }) => {
    if (!who.permits.has("49.query")) throw forbidden();
    return sql`e.village_id = ${anyOf(who.villages)}`;
  },
};

const inVillages = (read: Read, villageIds: readonly number[] | undefined): Sql =>
  villageIds?.length ? among("e.village_id")(villagesOf(read.who, villageIds)) : sql`true`;

export const rowColumns = (
  read: Read,
) => sql`e.id, e.examine_no "examineNo", e.module_type "moduleType", e.title,
  coalesce(e.opens_id, e.target_id) "targetId", e.opens_page "opensPage", e.village_id "villageId", v.name "villageName", e.amount, e.key_facts "keyFacts",
  o.real_name submitter, e.submitted_at "submittedAt", ${NODE_TEXT} node, e.state, e.version,
  (select coalesce(string_agg(p.real_name, '、' order by s.id), '') from examine_step s join operator p on p.id = s.operator_id
    where s.examine_id = e.id and s.state = 'waiting') "waitingFor",
  case when e.state = 'approving' then
    floor(extract(epoch from ${read.now.toISOString()}::timestamptz - e.node_since) / 3600)::int end waited,
  ${isLate(read)} late, ${waitsForMe(read)} mine`;
export const ROW_FROM = sql`examine e join village v on v.id = e.village_id join operator o on o.id = e.submitter_id`;

type Typed = { moduleType: string; opensPage: string | null };
/** What its type says of it; `page` is its own where it has one. */
export const typed = ({ moduleType, opensPage }: Typed) => ({
  typeName: approvable(moduleType)?.title ?? moduleType,
  page: opensPage ?? approvable(moduleType)?.page ?? "",
});

const examines = listOf(listExamines, {
  id: "e.id",
  from: sql`examine e`,
  where: {
    box: (box, read) => BOX[box](read),
    types: (types) => amongWords("e.module_type")(types.split(",")),
    state: amongWords("e.state"),
    submittedFrom: fromDay("e.submitted_at"),
    submittedTo: toDay("e.submitted_at"),
    amountFrom: from("e.amount"),
    amountTo: to("e.amount"),
    keyword: keyword(
      phrase("e.examine_no", "e.title"),
      (text) =>
        sql`exists (select from operator o where o.id = e.submitter_id and ${phrase("o.real_name")(text)})`,
    ),
  },
  scope: (read, { villageIds }) => inVillages(read, villageIds),
  sort: {
    submittedAt: { by: "e.submitted_at", indexed: true },
    amount: { order: (way) => sql`e.amount ${way} nulls last, e.id ${way}`, way: "desc" },
  },
  order: "submittedAt",
  columns: (read: Read) => rowColumns(read) as RawBuilder<Found>,
  join: sql`join (${ROW_FROM}) on e.id = page.id`,
  sums: { select: sql`coalesce(sum(e.amount), 0)::bigint amount` },
  rows: (rows: Found[]) =>
    rows.map(({ keyFacts, opensPage, ...row }) => ({
      ...row,
      ...typed({ ...row, opensPage }),
      factText: keyFacts
        .slice(0, 3)
        .map(([label, value]) => `${label} ${value}`)
        .join("，"),
    })),
});

/** What waits longest stands first where it waits for the reader. */
export const examinesOf = (read: Read, query: z.output<typeof listExamines.query>) =>
  examines.answer(read, {
    ...query,
    sort: query.sort ?? "submittedAt",
    order: query.order ?? (query.box === "mine" ? "asc" : "desc"),
  });

export async function examineCounts(
  read: Read,
  villageIds: readonly number[] | undefined,
): Promise<{ mine: number; late: number; returned: number }> {
  const here = inVillages(read, villageIds);
  const { rows } = await sql<{ mine: number; late: number; returned: number }>`
    select (select count(*)::int from examine e where ${waitsForMe(read)} and ${here}) mine,
      (select count(*)::int from examine e where ${waitsForMe(read)} and ${isLate(read)} and ${here}) late,
      (select count(*)::int from examine e where ${rejectedOfMine(read)} and ${here}) returned`.execute(
    read.tx,
  );
  return rows[0]!;
}
