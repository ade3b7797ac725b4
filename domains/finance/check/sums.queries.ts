import { sql, type RawBuilder } from "kysely";

/** What figures are read from, and what the same comes to out of the records, by store and day. */
const KEPT = [
  { table: "taking_day", day: "day", figure: "amount", name: "收款" },
  { table: "taking_day", day: "day", figure: "reversed", name: "冲销" },
  { table: "taking_day", day: "day", figure: "fee", name: "手续费" },
  { table: "taking_day", day: "day", figure: "flows", name: "笔数" },
  { table: "receivable_day", day: "due_date", figure: "billed", name: "应收" },
  { table: "receivable_day", day: "due_date", figure: "settled", name: "已收" },
  { table: "arrears_day", day: "day", figure: "fen", name: "欠费变动" },
] as const;

const summed = (table: string, day: string, figure: string) =>
  sql`select village_id, ${sql.ref(day)} "day", sum(${sql.ref(figure)})::bigint fen from ${sql.table(table)} group by 1, 2`;

/** Each kept sum against the records it stands for. */
export const keptSums = (): RawBuilder<unknown> =>
  sql.join(
    KEPT.map(
      ({ table, day, figure, name }) => sql`
        select coalesce(k.village_id, a.village_id) village_id,
          ${sql.lit(name)} || ' ' || coalesce(k.day, a.day)::text key, coalesce(a.fen, 0) expected, coalesce(k.fen, 0) actual
        from (${summed(table, day, figure)}) k
        full join (${summed(`${table}_anew`, day, figure)}) a on a.village_id = k.village_id and a.day = k.day`,
    ),
    sql` union all `,
  );
