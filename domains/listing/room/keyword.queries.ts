import { sql, type RawBuilder } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";

/** True where any of the columns contains every word of the keyword. */
export const likes = (keyword: string, ...columns: RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    keyword
      .split(/\s+/)
      .filter(Boolean)
      .map(
        (word) =>
          sql`(${sql.join(
            columns.map((column) => sql`${column} ilike ${containing(word)}`),
            sql` or `,
          )})`,
      ),
    sql` and `,
  )})`;
