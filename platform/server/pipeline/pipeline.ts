import type { Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Call, FileReply } from "../../kernel/call.ts";
import type { Event } from "../../kernel/event.ts";
import { dayInZone } from "../../kernel/day.ts";
import { Refusal, invalid, notFound, type FieldError } from "../../kernel/refusal.ts";
import { noted } from "../../kernel/fields/secrecy.ts";
import { nobody, type Act, type Concerned, type LogEntry, type Raw, type Upload, type Who } from "./act.ts";
import { whileWanted } from "../database/abandoned.ts";
import { isPassing, refusalOf } from "../database/constraints.ts";
import { atEnd } from "../database/once.ts";
import { brandKeyFor } from "./brand.ts";
import { mayCall, whoCalls } from "./session.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Database } from "../database/database.ts";
import { noteFull } from "../database/disk.ts";
import { claimKey, freeKey, keepAnswer } from "./idempotency.ts";
import { trimmedOnce } from "./prepared-answer.ts";
import { loggedPath, logApart, logWithin, type Outcome } from "./operation-log.ts";
import type { Numbers } from "../database/numbers.ts";
import { mayName } from "./named-records.ts";
import type { Handler, Served } from "./serve.ts";
import type { FileStore } from "../files/files.ts";
import type { Settings } from "../process/settings.ts";
import { handled } from "./taken-files.ts";
import type { ZodType } from "zod";
import { inChinese, wrongFields } from "./validation-messages.ts";
import { unstorableIn } from "./storable.ts";

/** The parts of a request as their schemas read them. Refuses with every wrong field, or with 404 for a wrong address. */
function parse(call: Call, request: Record<"params" | "query" | "body", unknown>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const wrong: FieldError[] = [];
  for (const part of ["params", "query", "body"] as const) {
    const schema: ZodType | undefined = call[part];
    if (!schema) continue;
    const strange = unstorableIn(request[part]);
    if (strange !== undefined) {
      if (part === "params") throw notFound();
      wrong.push({ field: strange, msg: "含有无法保存的字符，请删除后重试" });
      continue;
    }
    const result = schema.safeParse(request[part] ?? {}, inChinese);
    if (result.success) given[part] = result.data;
    else wrong.push(...wrongFields(result.error));
  }
  // An id in the path that is no id names nothing: the same answer as for a record that does not exist.
  if (wrong.length && call.params && !call.params.safeParse(request.params).success) throw notFound();
  if (wrong.length) throw invalid(...wrong);
  return given;
}

export type House = {
  database: Database;
  numbers: Numbers;
  emit: (tx: Kysely<DB>, event: Event, payload: unknown) => Promise<void>;
  clock: () => Date;
  settings: Settings;
  files: FileStore;
  cipher: Cipher;
};

export type Request = {
  token: string | undefined;
  /** Hears whether a session goes with the token. */
  session?:
    | { signedIn: (token: string, enterpriseId: number) => void; signedOut: (token: string) => void }
    | undefined;
  /** False for what the console asks by itself while nobody sits before it. */
  attended: boolean;
  idempotencyKey: string | undefined;
  path: string;
  params: unknown;
  query: unknown;
  load: () => Promise<{ body: unknown; files: Upload[] }>;
  raw: Raw;
  ip: string;
  /** The host name that the request came by: it may choose the brand. */
  host: string;
  userAgent: string;
  requestId: string;
  /** Nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
};
/** Lines of the business log that one statement writes: it takes 65,535 parameters. */
const NOTED_AT_ONCE = 2000;

export type Answer = { data: unknown; replayed: boolean; file: FileReply | undefined };

/** Everything a call goes through after the rate limit, in one place and this order. */
export async function run(house: House, { call, handle }: Served, request: Request): Promise<Answer> {
  const began = performance.now();
  let who: Who = nobody;
  const concerned = (operator: Concerned) =>
    void (who = {
      ...nobody,
      operatorId: operator.id,
      enterpriseId: operator.enterpriseId,
      name: operator.realName,
    });
  let given: Record<string, unknown> = { params: request.params, query: request.query };
  try {
    // known before anything is refused, so that the log can name them
    who = await whoCalls(house, call, request);
    mayCall(who, call);
    const { body, files } = await request.load();
    given.body = body;
    given = { ...parse(call, { ...request, body }), files, raw: request.raw };
    await mayName(house.database, who, call, given);
    if (call.effect === "read") {
      const act = actOf(house, house.database.db, who, request);
      return trimmed(call, await whileWanted(request.gone, async () => handle(act, given as never)));
    }
    return await written(house, call, handle, () => who, given, { ...request, body }, began, concerned);
  } catch (error) {
    noteFull(house.database.pool, error);
    const refusal = error instanceof Refusal ? error : refusalOf(error);
    // A read that is refused for want of a permit is worth a line; a mistyped filter is not.
    if (call.effect === "write" || refusal?.status === 403)
      await logApart(house.database.pool, outcomeOf(call, who, request, given, began, refusal, error)).catch(
        () => {},
      );
    throw refusal ?? error;
  }
}

async function written(
  house: House,
  call: Call,
  handle: Handler<Call>,
  whoNow: () => Who,
  given: Record<string, unknown>,
  request: Request & { body: unknown },
  began: number,
  concerned: (operator: Concerned) => void,
): Promise<Answer> {
  const who = whoNow();
  // only where money moves: an answer that is kept for a second asking would keep tokens and fresh passwords too
  const key = call.money ? request.idempotencyKey : undefined;
  if (call.money && !(key && /^[\w-]{8,100}$/.test(key)))
    throw new Refusal("keyMissing", "缺少请求编号（Idempotency-Key）", 400);
  for (let attempt = 1; ; attempt++)
    try {
      const begin = house.database.db.transaction();
      const done = await (call.snapshot ? begin.setIsolationLevel("repeatable read") : begin).execute(
        async (tx) => {
          if (key) {
            const asked = {
              operatorId: who.operatorId,
              key,
              call: `${call.method} ${request.path}`,
              request: request.body,
            };
            const first = await claimKey(tx, asked);
            if (first) return { data: first.answer, replayed: true, file: undefined };
          }
          const act = { ...actOf(house, tx, who, request), concerns: concerned, need: call.needs };
          try {
            const answer = trimmed(call, await handled(call, handle, act, given));
            if (key) await keepAnswer(tx, who.operatorId, key, answer.data);
            await logWithin(
              tx,
              outcomeOf(call, whoNow(), request, given, began, undefined, undefined, answer.data),
            );
            return answer;
          } catch (error) {
            if (!(error instanceof Refusal && error.keeps)) throw error;
            if (key) await freeKey(tx, who.operatorId, key);
            return error;
          }
        },
      );
      if (done instanceof Refusal) throw done;
      return done;
    } catch (error) {
      if (!isPassing(error) || attempt === 4) throw error;
    }
}

let notes = 0;

export function actOf(
  house: House,
  tx: Kysely<DB>,
  who: Who,
  request: Pick<Request, "requestId" | "ip" | "userAgent"> & { host?: string },
): Act {
  const now = house.clock();
  const today = dayInZone(now, house.settings.TIME_ZONE);
  return {
    tx,
    replica: house.database.replicaDb,
    who,
    now,
    today,
    requestId: request.requestId,
    ip: request.ip,
    userAgent: request.userAgent,
    settings: { ...house.settings, BRAND: brandKeyFor(house.settings, request.host ?? "") },
    files: house.files,
    cipher: house.cipher,
    concerns: () => {},
    numbers: (kind, count = 1) => house.numbers(kind, today, count),
    emit: (event, payload) => house.emit(tx, event, payload),
    note: async (entries: LogEntry | LogEntry[]) => {
      const rows = [entries].flat().map((e) => ({
        kind: e.kind,
        recordId: e.recordId,
        number: e.number ?? "",
        villageId: e.villageId ?? null,
        operatorId: who.operatorId || null,
        operatorName: who.name,
        action: e.action,
        summary: e.summary,
        before: e.before === undefined ? null : JSON.stringify(noted(e.before)),
        after: e.after === undefined ? null : JSON.stringify(noted(e.after)),
        requestId: request.requestId,
        examineId: e.examineId ?? null,
      }));
      await atEnd(
        { tx },
        "notes",
        rows,
        () => ++notes,
        async (all) => {
          for (let part = all; part.length; part = part.slice(NOTED_AT_ONCE))
            await tx.insertInto("businessLog").values(part.slice(0, NOTED_AT_ONCE)).execute();
        },
      );
    },
  };
}

/** Unknown columns never leak: what the reply's schema does not name is dropped. */
function trimmed(call: Call, value: unknown): Answer {
  return call.reply
    ? { data: trimmedOnce(value, (all) => call.reply!.parse(all)), replayed: false, file: undefined }
    : { data: null, replayed: false, file: value as FileReply };
}

function outcomeOf(
  call: Call,
  who: Who,
  request: Request,
  given: Record<string, unknown>,
  began: number,
  refusal?: Refusal,
  error?: unknown,
  reply?: unknown,
): Outcome {
  const idOf = (from: unknown) => {
    const id = Number((from as { id?: unknown } | null | undefined)?.id);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  };
  const { files: _, ...input } = given;
  return {
    call,
    // a read-only view of another account is logged under the name of its viewer
    operatorId: who.viewer?.id ?? who.operatorId,
    enterpriseId: who.enterpriseId,
    name: who.viewer ? `${who.viewer.name}（查看${who.name}）` : who.name,
    ip: request.ip,
    userAgent: request.userAgent,
    path: loggedPath(request.path, request.params),
    targetId: idOf(request.params) ?? idOf(reply),
    outcome: refusal ? "refused" : error ? "failed" : "ok",
    httpStatus: refusal?.status ?? (error ? 500 : 200),
    code: refusal?.code ?? "",
    message: refusal?.message ?? "",
    durationMs: performance.now() - began,
    input,
    requestId: request.requestId,
  };
}
