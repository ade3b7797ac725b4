import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Raw, Read } from "../../../platform/server/pipeline/act.ts";
import { type Lessor, lastWay, lessorSeen, openRequest, requestShown } from "./lessor.queries.ts";
import { verifyMoves, type VerifyState, type VerifyWay } from "./lessor.rules.ts";
import {
  closeRequest,
  noteLessor,
  sendRequestCode,
  startedBefore,
  startKey,
  spendRequestCode,
} from "./request.service.ts";

const stateOf = (lessor: Lessor) => ({ status: lessor.verifyState as VerifyState });

/** How verification stands. */
export async function verification(read: Read, id: number) {
  const lessor = await lessorSeen(read, id);
  const [way, open] = await Promise.all([lastWay(read, id), openRequest(read, id, "verify")]);
  return {
    id,
    state: stateOf(lessor).status,
    note: lessor.verifyNote,
    verifiedAt: lessor.verifiedAt,
    way: (way?.way ?? null) as VerifyWay | null,
    request: requestShown(read, open),
    version: lessor.version,
  };
}

async function open(act: Act, lessor: Lessor, way: VerifyWay, requestKey: string) {
  await act.tx
    .insertInto("lessorRequest")
    .values({
      lessorId: lessor.id,
      kind: "verify",
      way,
      requestKey,
      phone: lessor.legalPhone,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .execute();
  return (await openRequest(act, lessor.id, "verify"))!;
}

const moveTo = (act: Act, lessor: Lessor, verifyState: VerifyState, verifyNote = "") =>
  revise(
    act,
    "lessor",
    { id: lessor.id, version: lessor.version },
    {
      verifyState,
      verifyNote,
      ...(verifyState === "verified" && { verifiedAt: act.now.toISOString() }),
      ...stamp(act),
    },
  );

/** Starts verification; the same key again starts nothing. */
export async function startVerify(act: Act, id: number, way: VerifyWay, raw: Raw): Promise<void> {
  if (!act.who.permits.has("95.edit")) throw forbidden();
  const key = startKey(raw);
  const lessor = await lessorSeen(act, id, true);
  if (await startedBefore(act, id, "verify", key)) return;
  const to = verifyMoves.next("start", stateOf(lessor));
  await moveTo(act, lessor, to);
  const request = await open(act, lessor, way, key);
  if (way === "sms") await sendRequestCode(act, request);
  await noteLessor(act, lessor, "发起认证", way === "sms" ? "发起认证：法人短信核验" : "发起认证：人工审核");
}

/** A verified lessor is looked at again, such as for a new bank account. */
export async function openManual(act: Act, id: number, why: string): Promise<void> {
  const lessor = await lessorSeen(act, id, true);
  await moveTo(act, lessor, "verifying", why);
  await open(act, lessor, "manual", `again-${lessor.version}-${id}`);
  await noteLessor(act, lessor, "重新认证", `${why}，重新提交人工审核`);
}

/** The open run of a way; refuses in the words of the state where there is none. */
async function running(act: Act, lessor: Lessor, move: "pass" | "cancel", way?: VerifyWay) {
  verifyMoves.next(move, stateOf(lessor));
  const request = await openRequest(act, lessor.id, "verify");
  if (!request || (way && request.way !== way))
    throw new Refusal(
      "notAllowed",
      way === "sms" ? "该企业在等待人工审核，不能用短信核验" : "该企业在等待法人短信核验",
    );
  return request;
}

export async function sendVerifyCode(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  await sendRequestCode(act, await running(act, lessor, "pass", "sms"));
  return { id };
}

/** The legal person has told the code: the lessor is verified. */
export async function confirmVerify(act: Act, id: number, captcha: string) {
  const lessor = await lessorSeen(act, id, true);
  const request = await running(act, lessor, "pass", "sms");
  await spendRequestCode(act, request, captcha);
  await closeRequest(act, request, "done");
  await moveTo(act, lessor, "verified");
  await noteLessor(act, lessor, "通过认证", "法人短信核验通过");
  return { id };
}

export async function cancelVerify(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  const request = await running(act, lessor, "cancel");
  await closeRequest(act, request, "cancelled");
  // what was verified before stays so, with what was changed since then on record
  const to = lessor.verifiedAt ? "verified" : verifyMoves.next("cancel", stateOf(lessor));
  await moveTo(act, { ...lessor, verifiedAt: null }, to);
  await noteLessor(act, lessor, "撤回认证");
  return { id };
}

/** Whoever runs the platform has compared the papers with what was typed. */
export async function decideVerify(
  act: Act,
  id: number,
  { pass, reason, version }: { pass: boolean; reason: string; version: number },
) {
  if (!pass && [...reason].length < 2) throw invalid({ field: "reason", msg: "请填写原因（2-200字）" });
  const lessor = await lessorSeen(act, id, true);
  const request = await running(act, lessor, "pass", "manual");
  await closeRequest(act, request, pass ? "done" : "failed", reason);
  await moveTo(act, { ...lessor, version }, pass ? "verified" : "failed", reason);
  const label = pass ? "通过认证" : "驳回认证";
  await noteLessor(act, lessor, label, `人工审核：${label}${reason ? `，${reason}` : ""}`);
  return { id };
}
