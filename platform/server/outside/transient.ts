/** Refused by a service for now: the same message may be taken later. */
export class Unavailable extends Error {}

const CODES = new Set(["ETIMEDOUT", "ECONNECTION", "ESOCKET", "EDNS", "ECONNRESET", "ECONNREFUSED"]);

/** Whether sending again makes sense: a time-out, a lost connection, a service out of order; not what it refuses. */
export function mayPass(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof TypeError) return true;
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError" || error.name === "AbortError") return true;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  // SMTP: 4xx is "not now", 5xx is "never"
  if (typeof responseCode === "number") return responseCode >= 400 && responseCode < 500;
  return typeof code === "string" && CODES.has(code);
}

/**
 * Lets so many through at once and asks one more to come later: each keeps a transaction, and with it a connection of
 * ours, for as long as somebody else's service takes to answer. A slow one then never takes them all.
 */
export function fewAtOnce(most: number) {
  let waiting = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= most) throw new Unavailable(`${most} are waiting for an answer already`);
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  };
}
