import type { z, ZodType } from "zod";
import { refineLast } from "./fields/refinements.ts";

export const ACTIONS = [
  "add",
  "delete",
  "edit",
  "query",
  "get",
  "enable",
  "disable",
  "import",
  "export",
] as const;
export type Action = (typeof ACTIONS)[number];

/** `9.add` = action add of page code 9; `#901` = authority code 901; `super` = the administrators of the platform, super type '0'. */
export type Permit = `${number}.${Action}` | `#${number}` | "super";
/** Who may call: everybody, every signed-in operator, or who holds any one of the permits. */
export type Need = "public" | "login" | Permit | readonly Permit[];

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * A call, declared once as data and used by the server (routing, permission, validation, reply trimming, OpenAPI),
 * by the console (typed client, hiding what is not allowed) and by the operation log.
 */
export type Call<
  P extends ZodType | undefined = ZodType | undefined,
  Q extends ZodType | undefined = ZodType | undefined,
  B extends ZodType | undefined = ZodType | undefined,
  R extends ZodType | undefined = ZodType | undefined,
> = {
  method: Method;
  /** With `:id` for path parameters. */
  path: string;
  /** One sentence in Chinese: what it does. Shown in the API page and in the operation log. */
  summary: string;
  needs: Need;
  params: P;
  query: Q;
  body: B;
  /** Shape of `data` in the envelope; undefined for a call that answers with a file. */
  reply: R;
  /** Default: GET reads, everything else writes. A preview sent by POST reads; an unlock sent by GET writes. */
  effect: "read" | "write";
  /** A write that first reads a lot: its transaction sees one moment of the database. */
  snapshot: boolean;
  /** Moves money: an Idempotency-Key header is demanded and the same key moves it once. */
  money: boolean;
  /** Takes multipart/form-data with files of at most `maxBytes` each. */
  upload: { maxBytes: number; maxFiles: number } | undefined;
  /** Public, yet it knows a signed-in caller: a token that comes along is read, none is needed. */
  knows: boolean;
  /** A write that a session may send which only looks on as somebody else, such as ending itself. */
  whileViewing: boolean;
  /** Open to a session whose password somebody else gave and that must be replaced first; nothing else is. */
  beforeOwnPassword: boolean;
  /** Open to a session that must first switch on the second factor that its enterprise demands; nothing else is. */
  beforeSecondFactor: boolean;
  /**
   * May name any village of the enterprise: one that a record holds already, or that its service refuses with a sentence of its
   * own. Every other call names only villages of its caller.
   */
  beyondVillages: boolean;
  /** What kind of record it is about, for the operation log; its id is `params.id`, or `id` of the reply. */
  target: string | undefined;
  /** Milliseconds the console waits: 30 s, exports 300 s (specification section 9). */
  timeout: number;
  /** What was sent as it came, with its headers: for who signs every byte, such as a payment channel. */
  raw: boolean;
  /** Handlers that are costly or tempting to guess at: calls per minute and address, below the general limit. */
  perMinute: number | undefined;
};

/** What a call says beside its address, its sentence and who may make it. */
export type Declared<
  P extends ZodType | undefined,
  Q extends ZodType | undefined,
  B extends ZodType | undefined,
  R extends ZodType | undefined,
> = { params?: P; query?: Q; body?: B; reply?: R } & Partial<
  Omit<Call, "method" | "path" | "summary" | "needs" | "params" | "query" | "body" | "reply">
>;

export const call = <
  P extends ZodType | undefined = undefined,
  Q extends ZodType | undefined = undefined,
  B extends ZodType | undefined = undefined,
  R extends ZodType | undefined = undefined,
>(
  c: Pick<Call, "method" | "path" | "summary" | "needs"> & Declared<P, Q, B, R>,
): Call<P, Q, B, R> => ({
  method: c.method,
  path: c.path,
  summary: c.summary,
  needs: c.needs,
  params: (c.params && refineLast(c.params)) as P,
  query: (c.query && refineLast(c.query)) as Q,
  body: (c.body && refineLast(c.body)) as B,
  reply: c.reply as R,
  effect: c.effect ?? (c.method === "GET" ? "read" : "write"),
  snapshot: c.snapshot ?? false,
  money: c.money ?? false,
  upload: c.upload,
  knows: c.knows ?? false,
  whileViewing: c.whileViewing ?? false,
  beforeOwnPassword: c.beforeOwnPassword ?? false,
  beforeSecondFactor: c.beforeSecondFactor ?? false,
  beyondVillages: c.beyondVillages ?? false,
  target: c.target,
  timeout: c.timeout ?? 30_000,
  raw: c.raw ?? false,
  perMinute: c.perMinute,
});

type In<S> = S extends ZodType ? z.input<S> : undefined;
type Out<S> = S extends ZodType ? z.output<S> : undefined;
type Present<T> = { [K in keyof T as [T[K]] extends [undefined] ? never : K]: T[K] };

/** What the console sends. */
export type Sent<C> =
  C extends Call<infer P, infer Q, infer B, infer _R>
    ? Present<{ params: In<P>; query: In<Q>; body: In<B> }>
    : never;
/** What a handler is given after parsing. */
export type Given<C> =
  C extends Call<infer P, infer Q, infer B, infer _R>
    ? { params: Out<P>; query: Out<Q>; body: Out<B> }
    : never;
/** What the console receives. */
export type Reply<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer R> ? (R extends ZodType ? z.output<R> : Blob) : never;
/** What a handler returns before the reply is trimmed. */
export type Returned<C> =
  C extends Call<infer _P, infer _Q, infer _B, infer R>
    ? R extends ZodType
      ? z.input<R>
      : FileReply
    : never;

/** A file as an answer. `body` may be a stream. */
export type FileReply = {
  name: string;
  type: string;
  body: Uint8Array | string | AsyncIterable<Uint8Array>;
  inline?: boolean;
  /** Such as the key of a captcha. */
  headers?: Record<string, string>;
};

/** The envelope of every JSON answer; `code` 200 is success and the HTTP status says the same. */
export type Envelope<T> = {
  code: number;
  message: string;
  data: T;
  /** Stable word of a refusal: roomTaken, stale, invalid … */
  reason?: string;
  fields?: { field: string; msg: string }[];
  requestId?: string;
};

/** True when a set of permits satisfies a need. */
export const allows = (permits: ReadonlySet<string>, need: Need): boolean =>
  need === "public" ||
  need === "login" ||
  (typeof need === "string" ? permits.has(need) : need.some((n) => permits.has(n)));
