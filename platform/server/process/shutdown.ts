import type { FastifyInstance } from "fastify";

/** Longer than any call that somebody waits for at a counter; an export that is cut off can be asked for again. */
const LONGEST_MS = 60_000;

/**
 * Ends a server so that running requests finish. A browser also keeps lines open on which it has not asked for
 * anything yet: they are cut once nobody is being answered, else the end would wait for them for minutes.
 */
export function graceful(app: FastifyInstance): () => Promise<void> {
  let running = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    running++;
    done();
  });
  app.addHook("onResponse", (_request, _reply, done) => {
    running--;
    done();
  });
  return async () => {
    const last = Date.now() + LONGEST_MS;
    const timer = setInterval(() => {
      if (running <= 0 || Date.now() > last) app.server.closeAllConnections();
    }, 100);
    try {
      await app.close();
    } finally {
      clearInterval(timer);
    }
  };
}
