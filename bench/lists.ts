import autocannon from "autocannon";
import { listBills } from "../domains/finance/bill-list/bill.contract.ts";
import type { Place } from "./place.ts";
import { pgbench, statementsOf } from "./raw.ts";
import { inTurn, median, percentile, type Ratio } from "./rounds.ts";

const SECONDS = 4;
const CLIENTS = 10;

export type ListMeasure = Ratio & { p95: number; latency: number; statements: number };

/** What is asked: the open bills by due day; with an exact total, every bill there ever was, so that counting is work. */
const QUERY = {
  rows: { want: "rows", tab: "open", pageSize: 20, sort: "dueDate", order: "asc" },
  both: { want: "both", tab: "all", pageSize: 20, sort: "dueDate", order: "desc" },
} as const;

/** The bill list as a store manager with three villages sees it, against the same statements through pgbench. */
export async function measureList(place: Place, want: "rows" | "both", rounds: number): Promise<ListMeasure> {
  const token = await place.token("dianzhang01");
  const query = QUERY[want];
  const statements = await statementsOf(place, token, listBills, { query });
  const url = `${place.base}${listBills.path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()}`;
  const p95: number[] = [];
  const latency: number[] = [];
  const ask = async () => {
    const times: number[] = [];
    const run = autocannon({
      url,
      connections: CLIENTS,
      duration: SECONDS,
      headers: { authorization: token },
    });
    run.on("response", (_client, _status, _bytes, time) => times.push(time));
    const result = await run;
    if (result.non2xx) throw new Error(`${result.non2xx} answers were not 200`);
    return { result, times };
  };
  // a server that has just started compiles its code and prepares its statements
  await ask();
  const ratio = await inTurn(
    rounds,
    "lists a second",
    async () => {
      const { result, times } = await ask();
      p95.push(percentile(times, 95));
      latency.push(result.latency.average);
      return result.requests.average;
    },
    async () => pgbench(place, statements, CLIENTS, SECONDS),
  );
  return { ...ratio, p95: median(p95), latency: median(latency), statements: statements.length };
}
