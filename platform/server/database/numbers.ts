import type { Pool } from "pg";
import type { Day } from "../../kernel/day.ts";

/**
 * Per kind and day sequences. They run on a connection of their own, so that two signings never wait for each
 * other's commit; the commit of a number may be lazy because the record that uses it is flushed after it.
 */
export const numbersFrom =
  (pool: Pool) =>
  async (kind: string, day: Day, count = 1): Promise<string[]> => {
    const { rows } = await pool.query<{ last: number }>({
      name: "number",
      text: `insert into number_sequence (kind, day, last) values ($1, $2, $3)
             on conflict (kind, day) do update set last = number_sequence.last + excluded.last returning last`,
      values: [kind, day, count],
    });
    const last = rows[0]!.last;
    const head = `${kind}${day.replaceAll("-", "")}-`;
    return Array.from({ length: count }, (_, i) => head + String(last - count + 1 + i).padStart(6, "0"));
  };
export type Numbers = ReturnType<typeof numbersFrom>;
