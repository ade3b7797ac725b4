import v8 from "node:v8";
import vm from "node:vm";
import type { FastifyInstance } from "fastify";

/** So long nobody has asked for anything. */
const QUIET_MS = 5_000;
/** Less than that is not worth a sweep. */
const WORTH = 8 * 2 ** 20;

type Collect = (how: { type: "major"; execution: "async"; flavor: "last-resort" }) => Promise<void>;

/**
 * Gives memory back after a rush. A busy server lets its heap grow, which is what makes it quick; left alone it would
 * keep all of that for the rest of the day, on a machine that the database shares.
 */
export function restAfterWork(app: FastifyInstance): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as Collect;
  let last = Date.now();
  // loading the product has left something to sweep too
  let kept = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    last = Date.now();
    done();
  });
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (Date.now() - last < QUIET_MS || process.memoryUsage.rss() < kept + WORTH) return;
    void collect({ type: "major", execution: "async", flavor: "last-resort" }).then(
      () => (kept = process.memoryUsage.rss()),
    );
  };
  app.addHook("onListen", async () => void (timer = setInterval(look, QUIET_MS).unref()));
  app.addHook("onClose", (_instance, done) => {
    clearInterval(timer);
    done();
  });
}
