import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { hasRoom } from "../database/disk.ts";
import { registry, workers } from "./metrics.ts";
import { metricsOfAll } from "../process/workers.ts";

/** /healthz: the process answers. /readyz: it can work, and is not stopping. /metrics: Prometheus, for this machine only. */
export function readiness(app: FastifyInstance, pool: Pool, folder: string, stopping: () => boolean): void {
  app.addHook("onListen", async () => workers.set(1));
  const config = { rateLimit: false } as const;
  app.get("/healthz", { config }, () => "ok\n");
  app.get("/readyz", { config }, async (_request, reply) => {
    if (stopping()) return reply.status(503).send("stopping\n");
    try {
      await pool.query("select 1");
      return (await hasRoom(pool, folder)) ? "ready\n" : reply.status(503).send("no space\n");
    } catch {
      return reply.status(503).send("no database\n");
    }
  });
  app.get("/metrics", { config }, async (request, reply) => {
    if (!["127.0.0.1", "::1", "::ffff:127.0.0.1"].includes(request.ip)) return reply.status(404).send();
    return reply.type(registry.contentType).send((await metricsOfAll()) ?? (await registry.metrics()));
  });
}
