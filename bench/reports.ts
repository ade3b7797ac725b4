import type { Place } from "./place.ts";
import { inTurn, type Ratio } from "./rounds.ts";

export type ReportMeasure = Ratio & { equal: boolean };

// What the figures are, worked out from every row there is.
const ARREARS_SCAN = `
  select coalesce(sum(b.amount + b.adjusted - b.written_off - coalesce(a.paid, 0)), 0)::bigint fen
  from bill b left join (select bill_id, sum(amount) paid from allocation where kind = 'money' group by 1) a on a.bill_id = b.id
  where b.village_id = any($1::bigint[]) and b.issued_at is not null and b.voided_at is null and b.direction = 'receivable' and b.due_date < $2`;
const ARREARS = "select coalesce(sum(outstanding), 0)::bigint fen from owing_at($2::date, $1::bigint[])";
const COLLECTED_SCAN = `
  select coalesce(sum(f.amount) filter (where f.paid_on = $2 and f.confirmed_at is not null), 0)::bigint
    - coalesce(sum(f.amount) filter (where f.reversed_on = $2), 0)::bigint fen
  from flow f where f.direction || f.kind = 'inreceipt' and (f.village_id + 0) = any($1::bigint[])`;
const COLLECTED =
  "select coalesce(sum(amount), 0)::bigint fen from collected($2::date, $2::date, $1::bigint[])";

/** Arrears today and a day's takings of three stores: the report's own statement against a scan of all rows. Times a second. */
export async function measureReport(
  place: Place,
  which: "arrears" | "collected",
  rounds: number,
): Promise<ReportMeasure> {
  const { pool } = place.database;
  const day = (
    await pool.query<{ day: string }>("select max(paid_on)::text as day from flow where kind = 'receipt'")
  ).rows[0]!.day;
  const values = [[1, 2, 3], day];
  const [own, scan] = which === "arrears" ? [ARREARS, ARREARS_SCAN] : [COLLECTED, COLLECTED_SCAN];
  const fen = async (text: string) => (await pool.query<{ fen: number }>(text, values)).rows[0]!.fen;
  const rate = async (text: string, times: number) => {
    const before = performance.now();
    for (let i = 0; i < times; i++) await pool.query(text, values);
    return (times * 1000) / (performance.now() - before);
  };
  const equal = (await fen(own)) === (await fen(scan));
  const ratio = await inTurn(
    rounds,
    "reports a second",
    () => rate(own, 50),
    () => rate(scan, 5),
  );
  return { ...ratio, equal };
}
