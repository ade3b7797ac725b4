import type { Call, Envelope, Reply, Sent } from "../../kernel/call.ts";
import { Failure, NEUTRAL, statusText } from "./failure.ts";
import { leave, markTimeout, token } from "../session/session.ts";
import { toast } from "../parts/toast.ts";

/** What of a call is needed to send it. A page that must stay light names only this instead of the contract. */
export type Wire = Pick<Call, "method" | "path"> & {
  timeout?: number;
  /** Sent without the token, also where somebody is signed in: what a stranger would be answered. */
  asNobody?: boolean;
  /** Asked of the server that served the page, wherever its calls go: what the page itself is. */
  ownServer?: boolean;
  /** Sent with the cookies of this browser, which a foreign page could send too: for what is bound to the browser. */
  cookies?: boolean;
};
export type Options = {
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Arrives also when the window is closed meanwhile. */
  keepalive?: boolean;
};

/** Path with its parameters, and the query; empty values and undefined are left out, lists are joined by commas. */
export function address(path: string, params: Record<string, unknown> = {}, query: object = {}): string {
  const at = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(",") : value;
    if (text !== undefined && text !== null && text !== "") search.set(key, String(text));
  }
  return search.size ? `${at}?${search}` : at;
}

/** Where calls go, as the page was served: the address of its brand, or empty for the origin that it came from. */
const base =
  globalThis.document?.querySelector<HTMLMetaElement>("meta[name=api-base]")?.content.replace(/\/$/, "") ??
  "";

/** The whole address of a call, for what cannot be sent by `send`. A picture from it is shown as `crossOrigin="anonymous"`. */
export const addressOf = (wire: Wire, params: Record<string, unknown> = {}, query: object = {}): string =>
  (wire.ownServer ? "" : base) + address(wire.path, params, query);

/** What a page asks by itself is marked after this long without a hand on it: it does not keep a session from ending. */
const UNATTENDED_MS = 60_000;
let touchedAt = Date.now();
for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"])
  globalThis.addEventListener?.(kind, () => (touchedAt = Date.now()), { capture: true, passive: true });

// Only the first 401 acts; the next answer with 200 arms the rule again. What was under way when the session ended
// does neither, whichever way it is answered.
let armed = true;
let endings = 0;

function signedOut(): void {
  armed = false;
  endings++;
  toast(statusText(401), "error");
  toast("长时间未操作，请重新登录！", "error");
  leave();
  markTimeout();
  setTimeout(() => location.reload(), 1500);
}

type Parts = { params?: Record<string, unknown>; query?: object; body?: unknown };

/** Times a call is sent again after the server said when to come back. */
const RETURNS = 3;

/**
 * Answers the response when it succeeded, throws a Failure otherwise. A call that came too soon was not carried out: it
 * is sent again when the server said it may be.
 */
async function fetched(wire: Wire, sent: Parts, options: Options): Promise<Response> {
  for (let returns = 0; ; returns++)
    try {
      return await fetchedOnce(wire, sent, options);
    } catch (error) {
      const { retryAfter } = ((error as Failure).data ?? {}) as { retryAfter?: number };
      if (!retryAfter || returns === RETURNS || wire.asNobody || !token()) throw error;
      if (!returns) toast(`操作较多，${retryAfter} 秒后自动继续`, "warning");
      await wait(retryAfter * 1000, options.signal);
    }
}

const wait = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason as Error)), {
      once: true,
    });
  });

async function fetchedOnce(wire: Wire, sent: Parts, options: Options): Promise<Response> {
  // a timer of the page, which goes on while the body is read
  const late = new AbortController();
  setTimeout(() => late.abort(), wire.timeout ?? 30_000);
  const timeout = late.signal;
  const headers: Record<string, string> = {};
  const key = wire.asNobody ? undefined : token();
  if (key) headers.authorization = `Bearer ${key}`;
  if (Date.now() - touchedAt > UNATTENDED_MS) headers["x-unattended"] = "1";
  if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  const endingsBefore = endings;
  const form = sent.body instanceof FormData;
  if (sent.body !== undefined && !form) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(addressOf(wire, sent.params, sent.query), {
      method: wire.method,
      headers,
      body: form ? (sent.body as FormData) : sent.body === undefined ? null : JSON.stringify(sent.body),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      credentials: wire.cookies ? "include" : "omit",
      keepalive: options.keepalive ?? false,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    if (timeout.aborted) throw new Failure("timeout", "请求超时，请稍后再试", 0);
    throw new Failure("offline", "网络连接失败，请检查网络后重试", 0);
  }
  if (endings === endingsBefore) {
    if (response.status === 401 && armed) signedOut();
    if (response.status === 200) armed = true;
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

export async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  const body = (await response.json().catch(() => null)) as Partial<Envelope<unknown>> | null;
  const text = status === 401 ? statusText(401) : body?.message || statusText(status);
  return new Failure(body?.reason ?? `http${status}`, text, status, {
    fields: body?.fields ?? [],
    data: body?.data ?? null,
    requestId: body?.requestId ?? response.headers.get("x-request-id") ?? undefined,
  });
}

/** `send` for a call known only by method and path: R is what `data` holds. */
export async function sendWire<R>(wire: Wire, sent: Parts = {}, options: Options = {}): Promise<R> {
  const response = await fetched(wire, sent, options);
  if (!response.headers.get("content-type")?.includes("application/json"))
    return (await response.blob()) as R;
  const body = (await response.json()) as Envelope<R>;
  if (body.code === 200) return body.data;
  throw new Failure(body.reason ?? "refused", body.message || NEUTRAL, body.code, {
    fields: body.fields ?? [],
    data: body.data,
    requestId: body.requestId,
  });
}

export type Sending<C> = keyof Sent<C> extends never
  ? [sent?: Record<string, never>, options?: Options]
  : [sent: Sent<C>, options?: Options];

/** Sends a declared call and answers its reply. Throws a Failure. */
export const send = <C extends Call>(call: C, ...[sent, options]: Sending<C>): Promise<Reply<C>> =>
  sendWire<Reply<C>>(call, (sent ?? {}) as Parts, options);

/** A read as TanStack Query wants it: useQuery(ask(getBill, { params: { id } })). */
export const ask = <C extends Call>(call: C, ...[sent]: Sending<C>) => ({
  queryKey: [call.path, sent ?? {}] as readonly unknown[],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    sendWire<Reply<C>>(call, (sent ?? {}) as Parts, { signal }),
});

/** Sends files. Everything else goes along as form fields; `files` under the name `file`. */
export function upload<C extends Call>(
  call: C,
  sent: { params?: Record<string, unknown>; fields?: Record<string, string>; files: readonly File[] },
  options: Options = {},
): Promise<Reply<C>> {
  const body = new FormData();
  for (const [key, value] of Object.entries(sent.fields ?? {})) body.set(key, value);
  for (const file of sent.files) body.append("file", file);
  return sendWire(call, { params: sent.params ?? {}, body }, options);
}

/** A file and its name, for saving or showing. */
export async function fetchFile(wire: Wire, sent: Parts = {}, options: Options = {}) {
  const response = await fetched(wire, sent, options);
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /=\s*"?([^";]+)"?/.exec(disposition)?.[1];
  const type = response.headers.get("content-type") ?? "";
  return {
    name: encoded ? decodeURIComponent(encoded) : (plain ?? "download"),
    blob: await response.blob(),
    type,
  };
}

/** Saves a call's file. An answer in JSON means that the work became a job: it is answered, nothing is saved. */
export async function download<C extends Call>(call: C, ...[sent, options]: Sending<C>): Promise<unknown> {
  const file = await fetchFile(call, (sent ?? {}) as Parts, options);
  if (file.type.includes("application/json")) {
    const body = JSON.parse(await file.blob.text()) as Envelope<unknown>;
    if (body.code !== 200) throw new Failure(body.reason ?? "refused", body.message, body.code);
    return body.data ?? {};
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file.blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return undefined;
}
