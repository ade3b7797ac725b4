import { setInterval as every, setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** How often a connection is asked whether it still hears, and how long it may think about it. */
const CHECK_MS = 15_000;
const PATIENCE_MS = 5_000;
/** Work waits so long, for what else comes of its kind: whoever made it asks for something next, and that goes first. */
const GATHER_MS = 500;

/**
 * Hears of new work at once, by a connection of its own: what the queue asks of a database for its LISTEN. One that was lost is replaced
 * within a quarter of a minute. Behind a pooler that gives each transaction another connection nothing would be heard: then it throws, and the
 * queue looks for work more often instead.
 */
export const listening =
  (pool: pg.Pool, checkMs = CHECK_MS) =>
  async (channel: string, onTold: (queue: string) => void, onBack: () => void) => {
    const ended = new AbortController();
    const told = gathered(onTold);
    let client: Hearing | undefined = await hear(pool, channel, told);
    onBack();
    const watch = async () => {
      for await (const _ of every(checkMs, undefined, { signal: ended.signal, ref: false })) {
        if (client && (await client.hears())) continue;
        await client?.end();
        client = await hear(pool, channel, told).catch(() => undefined);
        // what was said meanwhile was missed
        if (client) onBack();
      }
    };
    const watching = watch().catch(() => {});
    return {
      close: async () => {
        ended.abort();
        await watching;
        await client?.end();
      },
    };
  };

/** Says what it is told a little later, once for all that was told meanwhile. */
function gathered(onTold: (queue: string) => void) {
  const waiting = new Set<string>();
  return (queue: string) => {
    if (waiting.has(queue)) return;
    waiting.add(queue);
    setTimeout(() => {
      waiting.delete(queue);
      onTold(queue);
    }, GATHER_MS).unref();
  };
}

type Hearing = { hears: () => Promise<boolean>; end: () => Promise<void> };

async function hear(pool: pg.Pool, channel: string, onTold: (queue: string) => void): Promise<Hearing> {
  const client = new pg.Client(pool.options);
  client.on("error", () => {});
  const own = () => (client as unknown as { processID: number }).processID;
  let echo = () => {};
  client.on("notification", ({ payload, processId }) => {
    if (payload) onTold(payload);
    else if (processId === own()) echo();
  });
  const end = () => client.end().catch(() => {});
  /** Whether it hears what it says itself. */
  const hears = () => {
    const heard = new Promise<boolean>((resolve) => (echo = () => resolve(true)));
    const said = client.query("select pg_notify($1, '')", [channel]).then(
      () => heard,
      () => false,
    );
    return Promise.race([said, sleep(PATIENCE_MS, false, { ref: false })]);
  };
  try {
    await client.connect();
    await client.query(`listen "${channel}"`);
    if (!(await hears())) throw new Error("what is told does not arrive on this connection");
    return { hears, end };
  } catch (error) {
    await end();
    throw error;
  }
}
