import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Raw } from "../../../platform/server/pipeline/act.ts";
import { codeFits, notTooOften, sendCode } from "../../access/sms/sms.service.ts";
import type { LessorRequest } from "./lessor.queries.ts";
import { CODE_TRIES, LOCK_MINUTES, PHONE_CODE } from "./lessor.rules.ts";

/** One line of the business log about a lessor. */
export const noteLessor = (
  act: Act,
  lessor: { id: number; name: string },
  action: string,
  summary = action,
  more: { before?: unknown; after?: unknown } = {},
): Promise<void> =>
  act.note({ kind: "lessor", recordId: lessor.id, number: lessor.name, action, summary, ...more });

/** The key that a GET must bring to start something; a page that is loaded again brings none. */
export function startKey(raw: Raw): string {
  const key = raw.header("idempotency-key");
  if (!key || !/^[\w-]{8,64}$/.test(key))
    throw new Refusal("keyMissing", "缺少请求编号（Idempotency-Key）", 400);
  return key;
}

/** Whether something was started with this key before. */
export const startedBefore = async (
  act: Act,
  lessorId: number,
  kind: "verify" | "authorise",
  requestKey: string,
) =>
  (await act.tx
    .selectFrom("lessorRequest")
    .select("id")
    .where("lessorId", "=", lessorId)
    .where("kind", "=", kind)
    .where("requestKey", "=", requestKey)
    .executeTakeFirst()) !== undefined;

/** Ends an open run. */
export async function closeRequest(
  act: Act,
  { id, version }: Pick<LessorRequest, "id" | "version">,
  state: "done" | "failed" | "cancelled",
  note = "",
  more: { resultHash?: Buffer; resultExpiresAt?: string; evidence?: string } = {},
): Promise<void> {
  const closed = await act.tx
    .updateTable("lessorRequest")
    .set({ state, note, ...more, closedAt: act.now.toISOString(), version: version + 1 })
    .where("id", "=", id)
    .where("state", "=", "open")
    .returning("id")
    .executeTakeFirst();
  if (!closed) throw notFound();
}

const LOCKED = `验证码错误次数过多，请${LOCK_MINUTES}分钟后再试`;

/** Refuses while too many wrong tries lie behind. */
export function notLocked(act: Pick<Act, "now">, request: Pick<LessorRequest, "lockedUntil">): void {
  if (request.lockedUntil && new Date(request.lockedUntil) > act.now)
    throw new Refusal("locked", LOCKED, 429);
}

/** What a code is worth something for: this run, and where a letter is signed, its very text. */
const boundTo = ({ id, letterSha256 }: Pick<LessorRequest, "id" | "letterSha256">) =>
  `lessorRequest ${id} ${letterSha256 ?? ""}`;

/** Sends a fresh code to the legal person's phone. */
export async function sendRequestCode(act: Act, request: LessorRequest): Promise<void> {
  notLocked(act, request);
  await notTooOften(act, request.phone);
  await sendCode(act, request.phone, PHONE_CODE, true, { to: boundTo(request) });
  await act.tx
    .updateTable("lessorRequest")
    .set({ codeSentAt: act.now.toISOString() })
    .where("id", "=", request.id)
    .execute();
}

const lockFrom = (act: Act) => new Date(act.now.getTime() + LOCK_MINUTES * 60_000).toISOString();

/**
 * Counts a wrong try, in a transaction that is kept: after so many the run is locked for half an hour. Answers the
 * refusal.
 */
export async function countWrong(
  act: Act,
  request: LessorRequest,
  which: "codeTries" | "openTries",
  most: number,
  refusal: Refusal,
): Promise<Refusal> {
  const tries = request[which] + 1;
  const locks = tries >= most;
  await act.tx
    .updateTable("lessorRequest")
    .set({ [which]: locks ? 0 : tries, ...(locks && { lockedUntil: lockFrom(act) }) })
    .where("id", "=", request.id)
    .execute();
  if (!locks) return refusal;
  const sentence = which === "codeTries" ? LOCKED : `输入错误次数过多，请${LOCK_MINUTES}分钟后再试`;
  return new Refusal("locked", sentence, 429, { keeps: true });
}

/** Uses the code up that was sent for this run. Call it before anything else is written. */
export async function spendRequestCode(act: Act, request: LessorRequest, code: string): Promise<void> {
  notLocked(act, request);
  if (await codeFits(act, request.phone, PHONE_CODE, code, boundTo(request))) return;
  const { fields } = invalid({ field: "captcha", msg: "短信验证码错误或已失效" });
  const wrong = new Refusal("codeWrong", fields[0]!.msg, 400, { fields, keeps: true });
  throw await countWrong(act, request, "codeTries", CODE_TRIES, wrong);
}
