import { randomBytes } from "node:crypto";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { letterFacts, signLetter } from "./authorise.service.ts";
import { type Lessor, type LessorRequest, requestShown } from "./lessor.queries.ts";
import { maskLessor, OPEN_TRIES, RESULT_MINUTES } from "./lessor.rules.ts";
import * as calls from "./letter.contract.ts";
import { countWrong, notLocked, sendRequestCode, spendRequestCode } from "./request.service.ts";
import type { Scope } from "./letter.rules.ts";

type Run = { request: LessorRequest; lessor: Lessor };

/** The run that a link was sent for, whatever has become of it. */
async function runOf(read: Pick<Read, "tx">, token: string, lock = false): Promise<Run | undefined> {
  let query = read.tx.selectFrom("lessorRequest").selectAll().where("linkHash", "=", hashOf(token));
  if (lock) query = query.forUpdate();
  const request = await query.executeTakeFirst();
  if (!request) return undefined;
  let owner = read.tx.selectFrom("lessor").selectAll().where("id", "=", request.lessorId);
  if (lock) owner = owner.forUpdate();
  return { request, lessor: await owner.executeTakeFirstOrThrow() };
}

const stateOf = (read: Pick<Read, "now">, { request }: Run): (typeof calls.LETTER_LINK)[number] => {
  if (request.state === "done") return "signed";
  if (request.state !== "open") return "revoked";
  return new Date(request.linkExpiresAt!) > read.now ? "open" : "expired";
};

const WHY = {
  signed: "授权书已签署",
  expired: "签署链接已过期，请联系企业经办人重新发送",
  revoked: "签署已撤销",
} as const;

/** The run behind a link that may still be signed, for who knows the last four places. */
async function opened(act: Act, { token }: { token: string }, last4: string): Promise<Run> {
  const run = await runOf(act, token, true);
  if (!run) throw new Refusal("notAllowed", WHY.expired);
  const state = stateOf(act, run);
  if (state !== "open") throw new Refusal("notAllowed", WHY[state]);
  notLocked(act, run.request);
  const typed = last4.toUpperCase();
  const { legalCertLast4, creditCode } = run.lessor;
  if (typed !== legalCertLast4 && typed !== creditCode.slice(-4)) {
    const { fields } = invalid({ field: "last4", msg: "证件号或统一社会信用代码后4位不正确" });
    const wrong = new Refusal("invalid", fields[0]!.msg, 400, { fields, keeps: true });
    throw await countWrong(act, run.request, "openTries", OPEN_TRIES, wrong);
  }
  return run;
}

const listed = (names: readonly string[], all: string) => (names.length ? names.join("、") : all);
const resultState = ({
  verifyState,
  authState,
}: Pick<Lessor, "verifyState" | "authState">): (typeof calls.AUTH_RESULTS)[number] => {
  if (verifyState === "verifying" || verifyState === "failed") return verifyState;
  return authState === "authorised" ? "done" : "ended";
};
const NOTHING = {
  id: null,
  maskedName: "",
  state: null,
  reason: "",
  from: null,
  to: null,
  at: null,
} as const;

export default [
  serveRead(calls.readLetter, async (read, { params }) => {
    const run = await runOf(read, params.token);
    if (!run) return { state: "expired" as const, maskedName: "" };
    return { state: stateOf(read, run), maskedName: maskLessor(run.lessor.name) };
  }),

  serve(calls.openLetter, async (act, { params, body }) => {
    const { request, lessor } = await opened(act, params, body.last4);
    await act.tx
      .updateTable("lessorRequest")
      .set({ openTries: 0, ...(!request.openedAt && { openedAt: act.now.toISOString() }) })
      .where("id", "=", request.id)
      .execute();
    const facts = await letterFacts(act, lessor, request.scope as Scope);
    return {
      lessorName: lessor.name,
      legalName: maskName(lessor.legalName),
      phone: maskPhone(request.phone),
      from: facts.from,
      to: facts.to,
      kinds: facts.kinds.map((kind) => KINDS[kind].title).join("、"),
      villages: listed(facts.villages, "全部门店"),
      seals: listed(facts.seals, "全部合同用章"),
      documentHash: request.letterSha256!,
      waitSeconds: requestShown(act, request)!.waitSeconds,
    };
  }),

  serve(calls.letterDocument, async (act, { params, body }) => {
    const { request } = await opened(act, params, body.last4);
    const file = await act.tx
      .selectFrom("storedFile")
      .select(["name", "type", "storageKey"])
      .where("id", "=", request.letterFileId!)
      .executeTakeFirst();
    if (!file) throw notFound();
    return { name: file.name, type: file.type, body: await act.files.get(file.storageKey), inline: true };
  }),

  serve(calls.sendLetterCode, async (act, { params, body }) => {
    const { request } = await opened(act, params, body.last4);
    await sendRequestCode(act, request);
    return { waitSeconds: requestShown(act, { ...request, codeSentAt: act.now.toISOString() })!.waitSeconds };
  }),

  serve(calls.signLetter, async (act, { params, body }) => {
    const { request, lessor } = await opened(act, params, body.last4);
    if (body.documentHash !== request.letterSha256)
      throw new Refusal("notAllowed", "授权书内容已更新，请使用新链接");
    await spendRequestCode(act, request, body.captcha);
    const key = randomBytes(16).toString("base64url");
    const resultExpiresAt = new Date(act.now.getTime() + RESULT_MINUTES * 60_000).toISOString();
    await signLetter(
      act,
      lessor,
      request,
      { resultHash: hashOf(key), resultExpiresAt },
      maskPhone(request.phone),
    );
    return { key };
  }),

  serveRead(calls.authResult, async (read, { query }) => {
    if (!query.key) return NOTHING;
    const row = await read.tx
      .selectFrom("lessorRequest as r")
      .innerJoin("lessor as l", "l.id", "r.lessorId")
      .select(["l.id", "l.name", "l.verifyState", "l.verifyNote", "l.authState", "r.scope", "r.closedAt"])
      .where("r.resultHash", "=", hashOf(query.key))
      .where("r.resultExpiresAt", ">", read.now.toISOString())
      .executeTakeFirst();
    if (!row) return NOTHING;
    const { from, to } = row.scope as Scope;
    const state = resultState(row);
    return {
      id: row.id,
      maskedName: maskLessor(row.name),
      state,
      reason: state === "failed" ? row.verifyNote : "",
      from,
      to,
      at: row.closedAt,
    };
  }),
];
