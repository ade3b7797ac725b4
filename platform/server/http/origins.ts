import type { FastifyInstance } from "fastify";
import { LOGIN } from "./security-headers.ts";
import type { Settings } from "../process/settings.ts";

/** What a console sends along and reads, beyond what every page may. */
const SENT = "authorization, content-type, idempotency-key, x-unattended";
const READ = "content-disposition, retry-after, x-request-id";
const METHODS = "GET, POST, PUT, PATCH, DELETE";

/** Consoles that another server serves and this one answers: the address people reach, and those named beside it. */
const consoles = ({ PUBLIC_URL, CONSOLE_ORIGINS }: Pick<Settings, "PUBLIC_URL" | "CONSOLE_ORIGINS">) =>
  new Set([...(PUBLIC_URL ? [new URL(PUBLIC_URL).origin] : []), ...CONSOLE_ORIGINS]);

/**
 * Lets these consoles read what is answered, each by its exact origin; no other page may. The token comes in its header,
 * so cookies go along with the log-in alone. Register it before anything that may refuse: a refusal is read as well.
 */
export function admitConsoles(app: FastifyInstance, settings: Settings): void {
  const known = consoles(settings);
  if (!known.size) return;
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (request.url.startsWith("/sams/")) return;
    reply.header("vary", "origin");
    if (!origin || !known.has(origin)) return;
    reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": READ });
    if (request.url.startsWith(LOGIN)) reply.header("access-control-allow-credentials", "true");
    if (request.method !== "OPTIONS" || !request.headers["access-control-request-method"]) return;
    reply.headers({
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": SENT,
      "access-control-max-age": "600",
    });
    return reply.code(204).send();
  });
}
