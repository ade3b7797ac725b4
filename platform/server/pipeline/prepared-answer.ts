import { promisify } from "node:util";
import zlib from "node:zlib";

type Written = { type: string; encoding: "br" | "gzip" | undefined; body: string | Buffer };
type Kept = { trimmed?: unknown; written: Map<string, Promise<Written> | Written> };

const KEPT = new WeakMap<object, Kept>();
const COMPRESS = { br: promisify(zlib.brotliCompress), gzip: promisify(zlib.gzip) };

/**
 * Marks what a handler answers as one that never changes any more. The handler gives the same object for as long as it
 * is true; it is then trimmed, written and compressed for the first who asks, and costs the others next to nothing.
 */
export function keptAnswer<T extends object>(answer: T): T {
  if (!KEPT.has(answer)) KEPT.set(answer, { written: new Map() });
  return answer;
}

/** The trimmed form of an answer: made once where it is kept. */
export function trimmedOnce(answer: unknown, trim: (value: unknown) => unknown): unknown {
  const kept = typeof answer === "object" && answer ? KEPT.get(answer) : undefined;
  if (!kept) return trim(answer);
  kept.trimmed ??= trim(answer);
  KEPT.set(kept.trimmed as object, kept);
  return kept.trimmed;
}

/** The envelope around a kept answer as bytes, in the best way that the asking side reads; undefined where none is kept. */
export function writtenOnce(
  data: unknown,
  accepts: string,
  write: (data: unknown) => string,
): Promise<Written> | Written | undefined {
  const kept = typeof data === "object" && data ? KEPT.get(data) : undefined;
  if (!kept) return undefined;
  const encoding = /\bbr\b/.test(accepts) ? "br" : /\bgzip\b/.test(accepts) ? "gzip" : undefined;
  const key = encoding ?? "";
  const known = kept.written.get(key);
  if (known) return known;
  const type = "application/json; charset=utf-8";
  const text = write(data);
  const made = encoding
    ? COMPRESS[encoding](text).then((body): Written => ({ type, encoding, body }))
    : { type, encoding, body: text };
  kept.written.set(key, made);
  return made;
}
