import { sql } from "kysely";
import { canonicalNumber, certificateOf } from "../../../platform/kernel/texts/certificate.ts";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { constraintSays, heldSays } from "../../../platform/server/database/constraints.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { getLessor, lessorStopped, type LessorEdit, type LessorInput } from "./lessor.contract.ts";
import { type Lessor, lessorDetail, lessorSeen } from "./lessor.queries.ts";
import { OPEN_FIELDS, whyFixed } from "./lessor.rules.ts";
import { noteLessor } from "./request.service.ts";
import { openManual } from "./verify.service.ts";

heldSays("seal", { code: "notAllowed", msg: "该企业的印章已用于试签，不能删除，可停用" });
constraintSays("lessor_credit_code", { field: "creditCode", msg: "该企业已存在" });

const PAPERS = ["licenceFileId", "legalFrontFileId", "legalBackFileId"] as const;

async function hang(act: Act, id: number, body: Pick<LessorInput, (typeof PAPERS)[number] | "otherFileIds">) {
  const pictures = [...new Set(PAPERS.map((key) => body[key]))];
  await attachFiles(act, [...pictures, ...body.otherFileIds], {
    targetKind: "lessor",
    targetId: id,
    needs: ["95.get", "super"],
  });
  const others = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("id", "in", pictures)
    .where("type", "not in", ["image/jpeg", "image/png"])
    .execute();
  const wrong = PAPERS.find((key) => others.some((file) => file.id === body[key]));
  if (wrong) throw invalid({ field: wrong, msg: "请上传图片" });
}

const sealedNumbers = (act: Act, { legalCertNo, bankNo }: Pick<LessorEdit, "legalCertNo" | "bankNo">) => ({
  ...(legalCertNo && {
    legalCertNoCipher: act.cipher.seal(canonicalNumber(legalCertNo)),
    legalCertLast4: canonicalNumber(legalCertNo).slice(-4),
  }),
  ...(bankNo && { bankNoCipher: act.cipher.seal(bankNo) }),
});

/** Registers a legal entity; it waits to be verified. */
export async function addLessor(act: Act, body: LessorInput): Promise<{ id: number }> {
  const { legalCertNo, bankNo, creditCode, otherFileIds, ...plain } = body;
  const { id } = await act.tx
    .insertInto("lessor")
    .values({
      ...plain,
      otherFileIds: [...new Set(otherFileIds)],
      creditCode: canonicalNumber(creditCode),
      legalCertNoCipher: act.cipher.seal(canonicalNumber(legalCertNo)),
      legalCertLast4: canonicalNumber(legalCertNo).slice(-4),
      ...(bankNo && { bankNoCipher: act.cipher.seal(bankNo) }),
      enterpriseId: act.who.enterpriseId,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
      ...stamp(act),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await hang(act, id, body);
  await noteLessor(act, { id, name: body.name }, "新建企业", `新建企业 ${body.name}`);
  return { id };
}

const same = (lessor: Lessor, body: LessorEdit, key: keyof LessorEdit): boolean => {
  if (key === "legalCertNo") return body.legalCertNo === undefined;
  if (key === "legalPhone") return body.legalPhone === undefined || body.legalPhone === lessor.legalPhone;
  if (key === "creditCode") return canonicalNumber(body.creditCode) === lessor.creditCode;
  return JSON.stringify(body[key]) === JSON.stringify(lessor[key as keyof Lessor]);
};

/** Refuses what may not change any more of a lessor that was verified or has a letter, and any change while it is being verified. */
function checkOpen(lessor: Lessor, body: LessorEdit): void {
  if (lessor.verifyState === "verifying")
    throw new Refusal("notAllowed", "企业认证中，暂不能修改；可先撤回认证");
  const fixed = whyFixed(lessor);
  if (!fixed) return;
  const open: readonly string[] = OPEN_FIELDS;
  const closed = (Object.keys(body) as (keyof LessorEdit)[]).filter((key) => !open.includes(key));
  const changed = closed.find((key) => !same(lessor, body, key));
  if (changed) throw invalid({ field: changed, msg: fixed });
}

/** Changes a lessor; numbers that are left out stay. A new bank account of a verified one is looked at again. */
export async function editLessor(
  act: Act,
  id: number,
  { version, ...body }: LessorEdit & { version: number },
): Promise<{ id: number }> {
  const before = await lessorSeen(act, id, true);
  checkOpen(before, body);
  const certNo = body.legalCertNo ?? act.cipher.open(before.legalCertNoCipher);
  const wrong = certificateOf(body.legalCertType)(certNo);
  if (wrong) throw invalid({ field: "legalCertNo", msg: wrong });
  const agentPhone = body.agentName ? (body.agentPhone ?? before.agentPhone) : "";
  if (body.agentName && !agentPhone) throw invalid({ field: "agentPhone", msg: "请填写经办人手机" });
  const keepsBank = Boolean(body.bankName) && !body.bankNo;
  if (keepsBank && !before.bankNoCipher) throw invalid({ field: "bankNo", msg: "请填写对公账号" });
  const shown = await lessorDetail(act, id);
  const { legalCertNo: _c, bankNo, legalPhone, creditCode, otherFileIds, ...plain } = body;
  await revise(
    act,
    "lessor",
    { id, version },
    {
      ...plain,
      agentPhone,
      otherFileIds: [...new Set(otherFileIds)],
      creditCode: canonicalNumber(creditCode),
      ...(legalPhone && { legalPhone }),
      ...sealedNumbers(act, body),
      ...(!body.bankName && { bankNoCipher: null as never }),
      ...stamp(act),
    },
  );
  await hang(act, id, body);
  const oldBank = before.bankNoCipher ? act.cipher.open(before.bankNoCipher) : "";
  const accountChanged =
    body.bankName !== before.bankName || (bankNo !== undefined && bankNo !== null && bankNo !== oldBank);
  if (before.verifyState === "verified" && accountChanged && body.bankName)
    await openManual(act, id, "对公账户变更");
  const changes = changesOf(getLessor.reply.shape as never, shown, await lessorDetail(act, id));
  if (changes) await noteLessor(act, { id, name: body.name }, "修改企业", undefined, changes);
  return { id };
}

/** Switches a lessor off (its seals may not be set then, and what is being signed ends) or on again. */
export async function switchLessor(act: Act, id: number, version: number, enabled: boolean) {
  const lessor = await lessorSeen(act, id, true);
  const label = enabled ? "启用企业" : "停用企业";
  if (lessor.enabled === enabled)
    throw new Refusal("notAllowed", `当前状态为“${enabled ? "启用" : "停用"}”，不能${label.slice(0, 2)}`);
  await revise(act, "lessor", { id, version }, { enabled, ...stamp(act) });
  await noteLessor(act, lessor, label);
  if (!enabled) await act.emit(lessorStopped, { lessorId: id, why: "企业已停用" });
  return { id };
}

/** Removes a lessor with its seals. Refused once something was sealed for it or a contract was signed in its name, be it on paper. */
export async function deleteLessor(act: Act, id: number, version: number): Promise<null> {
  const lessor = await lessorSeen(act, id, true);
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from seal_use u join seal s on s.id = u.seal_id where s.lessor_id = ${id})
      or exists (select from contract c where c.enterprise_id = ${lessor.enterpriseId} and c.signed_on is not null
        and c.lessor_snapshot->>'id' = ${String(id)}) used`.execute(act.tx);
  if (rows[0]!.used) throw new Refusal("notAllowed", "该企业已有合同");
  await act.tx.deleteFrom("seal").where("lessorId", "=", id).execute();
  await removeAt(act, "lessor", { id, version });
  await noteLessor(act, lessor, "删除企业", `删除企业 ${lessor.name}`);
  await act.emit(lessorStopped, { lessorId: id, why: "企业已删除" });
  return null;
}
