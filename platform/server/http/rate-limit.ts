import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../../kernel/refusal.ts";
import { hashOf } from "../pipeline/session.ts";

/** All sessions of one enterprise together may make as many calls as so many sessions alone. */
const ENTERPRISE_SHARE = 20;
/** Sessions remembered; one that is forgotten is counted by its address once more. */
const KNOWN = 10_000;

type From = (request: FastifyRequest) => string;
export type RateLimits = {
  /** Tells of a token that its session was found. */
  signedIn: (token: string, enterpriseId: number) => void;
  /** Tells of a token that no session goes with it any more. */
  signedOut: (token: string) => void;
};

/**
 * Limits calls a minute. Calls of a session are counted by session, so that an office behind one address is not shut
 * out; everything else, also a token that no session is known of, by address. A refused call is told after how many
 * seconds it may be repeated, in `retry-after` and in `data.retryAfter`. Files of the console are not counted.
 * 0: no limits. Counts are kept by each worker.
 */
export async function limitRates(
  app: FastifyInstance,
  perMinute: number,
  { tokenOf, addressOf }: { tokenOf: (request: FastifyRequest) => string | undefined; addressOf: From },
): Promise<RateLimits> {
  const enterprises = new Map<string, number>();
  const keyOf = (token: string) => hashOf(token).toString("base64");
  const sessionOf = (request: FastifyRequest) => {
    const token = tokenOf(request);
    const key = token && keyOf(token);
    return key && enterprises.has(key) ? key : undefined;
  };
  const tooMany = (ms: number) => {
    const retryAfter = Math.max(1, Math.ceil(ms / 1000));
    return new Refusal("tooMany", `操作过于频繁，请 ${retryAfter} 秒后再试`, 429, { data: { retryAfter } });
  };
  await app.register(rateLimit, {
    global: true,
    max: perMinute || Number.MAX_SAFE_INTEGER,
    timeWindow: "1 minute",
    // a public call is open to guessing, signed in or not
    keyGenerator: (request) =>
      ((request.routeOptions.config as { public?: boolean }).public ? undefined : sessionOf(request)) ??
      addressOf(request),
    allowList: (request) => request.url.startsWith("/sams/"),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const sum = app.createRateLimit({
    max: perMinute * ENTERPRISE_SHARE || Number.MAX_SAFE_INTEGER,
    keyGenerator: (request) => `enterprise ${enterprises.get(sessionOf(request)!)}`,
    allowList: (request) => sessionOf(request) === undefined,
  });
  app.addHook("onRequest", async (request, reply) => {
    const state = await sum(request);
    if (state.isAllowed || !state.isExceeded) return;
    reply.header("retry-after", state.ttlInSeconds);
    throw tooMany(state.ttl);
  });
  return {
    signedIn: (token, enterpriseId) => {
      if (enterprises.size >= KNOWN) enterprises.delete(enterprises.keys().next().value!);
      enterprises.set(keyOf(token), enterpriseId);
    },
    signedOut: (token) => void enterprises.delete(keyOf(token)),
  };
}
