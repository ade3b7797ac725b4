import type { Pool, PoolClient } from "pg";
import type { TestHouse } from "../process/house.sample.ts";

type Query = (...all: unknown[]) => Promise<unknown>;
const textOf = (first: unknown) => (typeof first === "string" ? first : (first as { text: string }).text);

/**
 * Ends the database session of the next transaction before its statement `at`, as a kill -9 of either side does; one beyond the
 * last ends it once the commit went through, so that only the answer is lost. Answers how many statements there were.
 */
export function strike({ database: { pool, owner } }: TestHouse, at: number): () => number {
  let working: PoolClient | undefined;
  let statements = 0;
  let over = false;
  const usual = new Map<PoolClient, Query>();
  const watch = (client: PoolClient) => {
    if (usual.has(client)) return;
    const query = client.query.bind(client) as unknown as Query;
    usual.set(client, query);
    client.query = (async (...all: unknown[]) => {
      const text = textOf(all[0]);
      if (over || (working && working !== client)) return query(...all);
      if (!working && text !== "begin") return query(...all);
      working = client;
      const last = text === "commit";
      statements += 1;
      if (statements === at) {
        over = true;
        await end(owner, client);
      }
      const answer = await query(...all);
      if (last) {
        over = true;
        if (at > statements) {
          await end(owner, client);
          throw Object.assign(new Error("Connection terminated"), { code: "08006" });
        }
      }
      return answer;
    }) as never;
  };
  pool.on("acquire", watch);
  return () => {
    pool.off("acquire", watch);
    for (const client of usual.keys()) delete (client as { query?: unknown }).query;
    return statements;
  };
}

async function end(owner: Pool, client: PoolClient): Promise<void> {
  const { processID: pid } = client as unknown as { processID: number };
  await owner.query("select pg_terminate_backend($1, 5000)", [pid]);
}
