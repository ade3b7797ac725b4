import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { DayKind, SpecialDays } from "./workday.rules.ts";

/** The days of an enterprise that are no ordinary ones. */
export async function specialDaysOf(read: Pick<Read, "tx">, enterpriseId: number): Promise<SpecialDays> {
  const rows = await read.tx
    .selectFrom("specialDay")
    .select(["day", "kind"])
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  return new Map(rows.map(({ day, kind }) => [day, kind as DayKind]));
}

/** Names days that are no ordinary ones; a day is named once. */
export async function nameDays(
  act: Act,
  enterpriseId: number,
  { from, to, kind, name }: { from: Day; to: Day; kind: DayKind; name: string },
): Promise<number> {
  if (to < from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
  const { rows } = await sql<{ day: Day }>`
    insert into special_day (enterprise_id, day, kind, name, created_by)
    select ${enterpriseId}, d::date, ${kind}, ${name}, ${act.who.operatorId || null}
    from generate_series(${from}::date, least(${to}::date, ${from}::date + 366), interval '1 day') d
    on conflict do nothing returning day`.execute(act.tx);
  if (!rows.length) throw new Refusal("notAllowed", "这些日子已在工作日历中，请先删除原来的");
  return rows.length;
}
