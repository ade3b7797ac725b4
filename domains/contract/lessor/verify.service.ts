import { randomInt } from "node:crypto";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Raw, Read } from "../../../platform/server/pipeline/act.ts";
import { paysByBank } from "../../finance/account/account.service.ts";
import { type Lessor, lastVerify, lessorSeen, openRequest, requestShown } from "./lessor.queries.ts";
import {
  TRANSFER_MOST,
  TRANSFER_TRIES,
  VERIFY_WAYS,
  verifyMoves,
  type VerifyState,
  type VerifyWay,
} from "./lessor.rules.ts";
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
  const [last, open, transfers] = await Promise.all([
    lastVerify(read, id),
    openRequest(read, id, "verify"),
    paysByBank(read, lessor.enterpriseId),
  ]);
  const request = requestShown(read, open);
  return {
    id,
    state: stateOf(lessor).status,
    note: lessor.verifyNote,
    verifiedAt: lessor.verifiedAt,
    way: (last?.way ?? null) as VerifyWay | null,
    startedAt: last?.createdAt ?? null,
    endedAt: last?.closedAt ?? null,
    request: request && { ...request, sentAt: open!.sentAt, triesLeft: TRANSFER_TRIES - open!.codeTries },
    transfers,
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
      ...(way === "transfer" && { amount: randomInt(1, TRANSFER_MOST + 1) }),
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
      // what was refused or taken back is verified no more
      ...((verifyState === "failed" || verifyState === "draft") && { verifiedAt: null as never }),
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
  if (way === "transfer") await transferable(act, lessor);
  await moveTo(act, lessor, to);
  const request = await open(act, lessor, way, key);
  if (way === "sms") await sendRequestCode(act, request);
  await noteLessor(act, lessor, "发起认证", `发起认证：${VERIFY_WAYS[way][0]}`);
}

/** A verified lessor is looked at again, such as for a new bank account. */
export async function openManual(act: Act, id: number, why: string): Promise<void> {
  const lessor = await lessorSeen(act, id, true);
  await moveTo(act, lessor, "verifying", why);
  await open(act, lessor, "manual", `again-${lessor.version}-${id}`);
  await noteLessor(act, lessor, "重新认证", `${why}，重新提交人工审核`);
}

const waiting = (request: { way: string } | undefined) =>
  VERIFY_WAYS[(request?.way ?? "manual") as VerifyWay][0];

/** Refuses where nothing could be sent, or nowhere. */
async function transferable(act: Act, lessor: Lessor): Promise<void> {
  if (!lessor.bankNoCipher) throw new Refusal("notAllowed", "请先填写对公账户的开户行和账号");
  if (!(await paysByBank(act, lessor.enterpriseId)))
    throw new Refusal("notAllowed", "没有启用的银行收款账户，不能对公打款");
}

/** The open run of a way; refuses in the words of the state where there is none. */
async function running(act: Act, lessor: Lessor, move: "pass" | "cancel", way?: VerifyWay) {
  verifyMoves.next(move, stateOf(lessor));
  const request = await openRequest(act, lessor.id, "verify");
  if (!request || (way && request.way !== way))
    throw new Refusal(
      "notAllowed",
      `该企业在等待${waiting(request)}${way === "sms" ? "，不能用短信核验" : ""}`,
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

/** What is to be sent, and where: for whoever runs the platform alone. */
export async function seeTransfer(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  const { amount } = await running(act, lessor, "pass", "transfer");
  await noteLessor(act, lessor, "查看对公打款", "查看对公打款的账号和金额");
  const account = act.cipher.open(lessor.bankNoCipher!);
  return { name: lessor.name, bankName: lessor.bankName, account, amount: amount! };
}

/** The amount is on its way: from now on it may be typed back. */
export async function sentTransfer(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  const { id: requestId, sentAt } = await running(act, lessor, "pass", "transfer");
  if (sentAt) throw new Refusal("notAllowed", "已确认过打款，请等待企业核对到账金额");
  await act.tx
    .updateTable("lessorRequest")
    .set({ sentAt: act.now.toISOString() })
    .where("id", "=", requestId)
    .execute();
  await noteLessor(act, lessor, "确认对公打款");
  return { id };
}

/** The amount as the bank shows it, in fen. The last wrong one ends the run; the next is sent another amount. */
export async function confirmTransfer(act: Act, id: number, amount: Fen) {
  const lessor = await lessorSeen(act, id, true);
  const request = await running(act, lessor, "pass", "transfer");
  if (!request.sentAt) throw new Refusal("notAllowed", "平台尚未确认打款，请到账后再提交");
  if (amount === request.amount) {
    await closeRequest(act, request, "done");
    await moveTo(act, lessor, "verified");
    await noteLessor(act, lessor, "通过认证", "对公小额打款核对一致");
    return { id };
  }
  const left = TRANSFER_TRIES - request.codeTries - 1;
  const wrong = `打款金额连续${TRANSFER_TRIES}次不一致`;
  if (left)
    await act.tx
      .updateTable("lessorRequest")
      .set({ codeTries: request.codeTries + 1 })
      .where("id", "=", request.id)
      .execute();
  else {
    await closeRequest(act, request, "failed", wrong);
    await moveTo(act, lessor, "failed", wrong);
    await noteLessor(act, lessor, "认证失败", wrong);
  }
  const msg = left ? `到账金额不一致，还可提交${left}次` : `${wrong}，认证失败，请重新提交`;
  throw new Refusal("codeWrong", msg, 400, { fields: [{ field: "amount", msg }], keeps: true });
}

export async function cancelVerify(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  const request = await running(act, lessor, "cancel");
  await closeRequest(act, request, "cancelled");
  // one that was verified is looked at for a new bank account, which nobody has agreed to yet: it is to be verified anew
  await moveTo(act, lessor, verifyMoves.next("cancel", stateOf(lessor)));
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
