import autocannon from "autocannon";
import { listBills } from "../domains/finance/bill/bills.contract.ts";
import type { Place } from "./place.ts";
import { pgbench, statementsOf } from "./raw.ts";
import { inTurn, median, type Ratio } from "./rounds.ts";

const SECONDS = 4;
const CLIENTS = 10;

export type ListMeasure = Ratio & { p95: number; latency: number; statements: number };

/** The bill list as a store manager with three villages sees it, against the same statements through pgbench. */
export async function measureList(place: Place, want: "rows" | "both", rounds: number): Promise<ListMeasure> {
  const token = await place.token("dianzhang01");
  const query = { want, tab: "open", pageSize: 20, sort: "dueDate", order: "asc" } as const;
  const statements = await statementsOf(place, token, listBills, { query });
  const url = `${place.base}${listBills.path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()}`;
  const p95: number[] = [];
  const latency: number[] = [];
  const ratio = await inTurn(
    rounds,
    "lists a second",
    async () => {
      const result = await autocannon({
        url,
        connections: CLIENTS,
        duration: SECONDS,
        headers: { authorization: token },
      });
      if (result.non2xx) throw new Error(`${result.non2xx} answers were not 200`);
      p95.push(result.latency.p97_5);
      latency.push(result.latency.average);
      return result.requests.average;
    },
    async () => pgbench(place, statements, CLIENTS, SECONDS),
  );
  return { ...ratio, p95: median(p95), latency: median(latency), statements: statements.length };
}
