import { randomBytes } from "node:crypto";
import { hoursText } from "../../../platform/kernel/duration.ts";
import { type Day, timeInZone } from "../../../platform/kernel/day.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Raw, Read } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { originOf } from "../../listing/channel/send.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { lessorStopped } from "./lessor.contract.ts";
import { type Lessor, type LessorRequest, lessorSeen, openRequest, requestShown } from "./lessor.queries.ts";
import { authMoves, type AuthState, LINK_HOURS, periodRefusal, type VerifyState } from "./lessor.rules.ts";
import {
  LETTER_TITLE,
  letterPaper,
  type LetterEvidence,
  type LetterFacts,
  type Scope,
} from "./letter.rules.ts";
import { closeRequest, noteLessor, startedBefore, startKey } from "./request.service.ts";

const stateOf = (lessor: Lessor) => ({
  status: lessor.authState as AuthState,
  verifyState: lessor.verifyState as VerifyState,
});

/** How authorisation stands. */
export async function authorisation(read: Read, id: number) {
  const lessor = await lessorSeen(read, id);
  const open = await openRequest(read, id, "authorise");
  return {
    id,
    state: stateOf(lessor).status,
    note: lessor.authNote,
    revokedAt: lessor.authRevokedAt,
    from: lessor.authFrom,
    to: lessor.authTo,
    fileId: lessor.authFileId,
    request: open ? { ...requestShown(read, open)!, linkExpiresAt: open.linkExpiresAt! } : null,
    version: lessor.version,
  };
}

const namesOf = async (read: Pick<Read, "tx">, table: "village" | "seal", ids: readonly number[]) => {
  if (!ids.length) return [];
  const rows = await read.tx
    .selectFrom(table as "village")
    .select("name")
    .where("id", "=", anyOf(ids))
    .orderBy("id")
    .execute();
  return rows.map(({ name }) => name);
};

/** What stands in the letter of a run. */
export async function letterFacts(
  read: Pick<Read, "tx" | "settings">,
  lessor: Pick<Lessor, "name" | "creditCode" | "legalName">,
  scope: Scope,
): Promise<LetterFacts> {
  const [{ productTitle }, villages, seals] = await Promise.all([
    brandOf(read.settings.BRAND),
    namesOf(read, "village", scope.villageIds),
    namesOf(read, "seal", scope.sealIds),
  ]);
  const { name: lessorName, creditCode, legalName } = lessor;
  return { lessorName, creditCode, legalName, productTitle, ...scope, villages, seals };
}

/** Villages and seals that are named belong to the enterprise and to the lessor. */
async function checkScope(act: Act, lessor: Lessor, { villageIds, sealIds }: Scope): Promise<void> {
  const villages = villageIds.length
    ? await act.tx
        .selectFrom("village")
        .select("id")
        .where("enterpriseId", "=", lessor.enterpriseId)
        .where("id", "=", anyOf(villageIds))
        .execute()
    : [];
  if (villages.length < villageIds.length) throw invalid({ field: "villageIds", msg: "请选择本企业的门店" });
  const seals = sealIds.length
    ? await act.tx
        .selectFrom("seal")
        .select("id")
        .where("lessorId", "=", lessor.id)
        .where("id", "=", anyOf(sealIds))
        .execute()
    : [];
  if (seals.length < sealIds.length) throw invalid({ field: "sealIds", msg: "请选择该企业的印章" });
}

/** A fresh link: sent to the legal person, and answered once. What was sent before is worth nothing any more. */
async function sendLink(act: Act, lessor: Lessor, requestId: number): Promise<string> {
  const code = randomBytes(16).toString("base64url");
  const link = `${originOf(act.settings)}/esign/a/${code}`;
  await act.tx
    .updateTable("lessorRequest")
    .set({
      linkHash: hashOf(code),
      linkExpiresAt: new Date(act.now.getTime() + LINK_HOURS * 3_600_000).toISOString(),
    })
    .where("id", "=", requestId)
    .execute();
  await smsLink(
    act,
    {
      recipient: lessor.legalPhone,
      body: `【${lessor.name}】请签署${LETTER_TITLE}：••••••，${hoursText(LINK_HOURS)}内有效`,
      sourceId: requestId,
      enterpriseId: lessor.enterpriseId,
    },
    { enterprise: lessor.name, name: LETTER_TITLE, link, hours: LINK_HOURS },
  );
  return link;
}

type Asked = Partial<{ from: Day | undefined; to: Day | undefined; kinds: ContractKind[] | undefined }> & {
  villageIds: number[];
  sealIds: number[];
};

/** Starts authorisation: writes the letter and sends the link. The same key again starts nothing and answers no link. */
export async function startAuthorise(
  act: Act,
  id: number,
  asked: Asked,
  raw: Raw,
): Promise<string | undefined> {
  if (!act.who.permits.has("95.edit")) throw forbidden();
  const requestKey = startKey(raw);
  const lessor = await lessorSeen(act, id, true);
  if (await startedBefore(act, id, "authorise", requestKey)) return undefined;
  const authState = authMoves.next("start", stateOf(lessor));
  if (await openRequest(act, id, "authorise"))
    throw new Refusal("notAllowed", "授权书正在等待法人签署，可重新发送链接或先取消");
  if (!asked.from) throw invalid({ field: "from", msg: "请选择授权开始" });
  if (!asked.to) throw invalid({ field: "to", msg: "请选择授权结束" });
  if (!asked.kinds) throw invalid({ field: "kinds", msg: "请选择授权合同" });
  const wrong = periodRefusal(asked.from, asked.to, act.today, lessor);
  if (wrong) throw invalid(wrong);
  const { villageIds, sealIds } = asked;
  const scope: Scope = { from: asked.from, to: asked.to, kinds: asked.kinds, villageIds, sealIds };
  await checkScope(act, lessor, scope);
  const bytes = await printed(letterPaper(await letterFacts(act, lessor, scope)), LETTER_TITLE);
  const carrier = { targetKind: "lessor", targetId: id, needs: ["95.get", "super"] as const };
  const file = await keepFile(
    act,
    { name: `${LETTER_TITLE}（待签署）.pdf`, type: "application/pdf", bytes },
    carrier,
  );
  const made = await act.tx
    .insertInto("lessorRequest")
    .values({
      lessorId: id,
      kind: "authorise",
      way: "letter",
      requestKey,
      phone: lessor.legalPhone,
      scope: JSON.stringify(scope),
      letterFileId: file.id,
      letterSha256: file.sha256,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await revise(act, "lessor", { id, version: lessor.version }, { authState, ...stamp(act) });
  await noteLessor(act, lessor, "发起授权", `发起签署授权 ${scope.from} 至 ${scope.to}`);
  return sendLink(act, lessor, made.id);
}

async function pending(act: Act, lessor: Lessor): Promise<LessorRequest> {
  const request = await openRequest(act, lessor.id, "authorise");
  if (!request) throw new Refusal("notAllowed", "没有等待签署的授权书");
  return request;
}

export async function resendLetter(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  const request = await pending(act, lessor);
  const link = await sendLink(act, lessor, request.id);
  await noteLessor(act, lessor, "重新发送授权链接");
  return { id, link };
}

/** What an authorisation was that does not hold any more, before another one was asked for. */
const lapsed = ({ authFileId, authTo }: Lessor, today: Day): AuthState =>
  authFileId === null ? "none" : authTo! < today ? "expired" : "revoked";

/** Takes an unsigned letter back; what was authorised before stays. */
export async function cancelAuthorisation(act: Act, id: number) {
  const lessor = await lessorSeen(act, id, true);
  await closeRequest(act, await pending(act, lessor), "cancelled");
  if (lessor.authState === "pending")
    await revise(
      act,
      "lessor",
      { id, version: lessor.version },
      { authState: lapsed(lessor, act.today), ...stamp(act) },
    );
  await noteLessor(act, lessor, "取消授权申请");
  return { id };
}

/** From now on no seal of this lessor may be set, and what is being signed ends; what was signed stays valid. */
export async function revokeAuthorisation(
  act: Act,
  id: number,
  { reason, version }: { reason: string; version: number },
) {
  const lessor = await lessorSeen(act, id, true);
  const authState = authMoves.next("revoke", stateOf(lessor));
  const open = await openRequest(act, id, "authorise");
  if (open) await closeRequest(act, open, "cancelled", reason);
  await revise(
    act,
    "lessor",
    { id, version },
    { authState, authNote: reason, authRevokedAt: act.now.toISOString(), ...stamp(act) },
  );
  await noteLessor(act, lessor, "撤销授权", `撤销签署授权：${reason}`);
  await act.emit(lessorStopped, { lessorId: id, why: `企业授权已撤销：${reason}` });
  return { id };
}

/** The legal person has signed: the letter is closed with its proof, and its scope holds. */
export async function signLetter(
  act: Act,
  lessor: Lessor,
  request: LessorRequest,
  result: { resultHash: Buffer; resultExpiresAt: string },
  phone: string,
): Promise<void> {
  const scope = request.scope as Scope;
  const authState = authMoves.next("sign", stateOf(lessor));
  const evidence: LetterEvidence = {
    signedAt: timeInZone(act.now, act.settings.TIME_ZONE).slice(0, 19),
    phone,
    ip: act.ip,
    userAgent: act.userAgent,
    sha256: request.letterSha256!,
  };
  const paper = letterPaper(await letterFacts(act, lessor, scope), evidence);
  // whoever signs is nobody's operator: the file belongs to the lessor's enterprise
  const owner = { ...act, who: { ...act.who, enterpriseId: lessor.enterpriseId } };
  const file = await keepFile(
    owner,
    {
      name: `${LETTER_TITLE}_${lessor.name}.pdf`,
      type: "application/pdf",
      bytes: await printed(paper, LETTER_TITLE),
    },
    { targetKind: "lessor", targetId: lessor.id, needs: ["95.get", "super"] },
  );
  await closeRequest(act, request, "done", "", { ...result, evidence: JSON.stringify(evidence) });
  await revise(
    act,
    "lessor",
    { id: lessor.id, version: lessor.version },
    {
      authState,
      authNote: "",
      authRevokedAt: null,
      authFrom: scope.from,
      authTo: scope.to,
      authKinds: scope.kinds,
      authVillageIds: scope.villageIds,
      authSealIds: scope.sealIds,
      authFileId: file.id,
      ...stamp(act),
    },
  );
  await noteLessor(act, lessor, "签署授权书", `法人签署授权书，有效期 ${scope.from} 至 ${scope.to}`);
}
