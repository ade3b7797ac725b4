import { createPrivateKey, X509Certificate } from "node:crypto";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { readP12 } from "../../../platform/server/secrets/p12.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { lessorSeen } from "../lessor/lessor.queries.ts";
import { keepCertificate } from "./certificate.service.ts";
import type { SealBody } from "./seal.contract.ts";
import { sealSeen } from "./seal.queries.ts";
import { SEAL_KINDS, transparentPng } from "./seal.rules.ts";
import { certified } from "./x509.service.ts";

constraintSays("seal_name", { field: "name", msg: "该企业已有同名印章" });

const note = (act: Act, seal: { id: number; name: string }, action: string, summary = action, more = {}) =>
  act.note({ kind: "seal", recordId: seal.id, number: seal.name, action, summary, ...more });

/** The picture hangs on the seal; it must be a PNG that lets the text below show through. */
async function hangImage(act: Act, id: number, fileId: number): Promise<void> {
  await attachFile(act, fileId, { targetKind: "seal", targetId: id, needs: ["95.query", "95.get", "#9501"] });
  const file = await act.tx
    .selectFrom("storedFile")
    .select(["type", "size", "storageKey"])
    .where("id", "=", fileId)
    .executeTakeFirstOrThrow();
  const refused = (msg: string) => invalid({ field: "imageFileId", msg });
  if (file.type !== "image/png") throw refused("印章图片须为透明背景的PNG图片");
  if (file.size > 2 * 1024 * 1024) throw refused("图片大小不能超过2M");
  if (!transparentPng(await act.files.get(file.storageKey))) throw refused("印章图片须为透明背景的PNG图片");
}

/** Operators of the enterprise; those who have left since then may stay where they stood. */
async function checkOperators(act: Act, wanted: readonly number[], before: readonly number[] = []) {
  const added = wanted.filter((id) => !before.includes(id));
  const rows = added.length
    ? await act.tx
        .selectFrom("operator")
        .select("id")
        .where("id", "=", anyOf(added))
        .where("enterpriseId", "=", act.who.enterpriseId)
        .where("state", "=", "active")
        .execute()
    : [];
  if (rows.length < added.length) throw invalid({ field: "operatorIds", msg: "请选择在职的员工" });
}

export async function addSeal(act: Act, body: SealBody): Promise<{ id: number }> {
  const lessor = await lessorSeen(act, body.lessorId);
  if (lessor.enterpriseId !== act.who.enterpriseId) throw invalid({ field: "lessorId", msg: "请选择企业" });
  const operatorIds = [...new Set(body.operatorIds)];
  await checkOperators(act, operatorIds);
  const { id } = await act.tx
    .insertInto("seal")
    .values({
      ...body,
      operatorIds,
      villageIds: [...new Set(body.villageIds)],
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
      ...stamp(act),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await hangImage(act, id, body.imageFileId);
  await note(
    act,
    { id, name: body.name },
    "新增印章",
    `新增${SEAL_KINDS[body.kind]} ${body.name}，企业 ${lessor.name}`,
  );
  return { id };
}

/** Stores that the editor does not see stay as they are. */
export async function editSeal(
  act: Act,
  id: number,
  { version, ...body }: Omit<SealBody, "lessorId"> & { version: number },
): Promise<{ id: number }> {
  const before = await sealSeen(act, id, true);
  const operatorIds = [...new Set(body.operatorIds)];
  await checkOperators(act, operatorIds, before.operatorIds);
  const beyond = before.villageIds.filter((village) => !act.who.villages.includes(village));
  const after = { ...body, operatorIds, villageIds: [...new Set([...body.villageIds, ...beyond])] };
  await revise(act, "seal", { id, version }, { ...after, ...stamp(act) });
  await hangImage(act, id, body.imageFileId);
  const changed = Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as "name"]),
    ),
  );
  const old = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as "name"]]));
  if (Object.keys(changed).length)
    await note(act, { id, name: body.name }, "修改印章", `修改印章：${titles(changed)}`, {
      before: old,
      after: changed,
    });
  return { id };
}

const TITLES: Record<string, string> = {
  name: "名称",
  kind: "类型",
  imageFileId: "印章图片",
  villageIds: "可用门店",
  operatorIds: "可用人员",
  autoSeal: "自动盖章",
};
const titles = (changed: object) =>
  Object.keys(changed)
    .map((key) => TITLES[key])
    .join("、");

export async function switchSeal(act: Act, id: number, version: number, enabled: boolean) {
  const seal = await sealSeen(act, id, true);
  const label = enabled ? "启用" : "停用";
  if (seal.enabled === enabled) throw new Refusal("notAllowed", `当前状态为“${label}”，不能${label}`);
  await revise(act, "seal", { id, version }, { enabled, ...stamp(act) });
  await note(act, seal, `${label}印章`);
  return { id };
}

const WHY = {
  password: ["password", "证书密码不正确"],
  unreadable: ["file", "请上传有效的 .p12 或 .pfx 证书文件"],
  key: ["file", "证书文件须只含一个 RSA 私钥"],
  certificate: ["file", "证书文件中没有与私钥对应的证书"],
} as const;

/** Keeps an imported certificate and its key, sealed; the file and its password are kept nowhere. */
export async function importCertificate(
  act: Act,
  id: number,
  [file]: readonly Upload[],
  password: string,
): Promise<{ id: number }> {
  if (!file) throw invalid({ field: "file", msg: WHY.unreadable[1] });
  const found = await readP12(file.bytes, password);
  if ("no" in found) {
    const [field, msg] = WHY[found.no];
    throw invalid({ field, msg });
  }
  const leaf = new X509Certificate(found.pems[0]!);
  const refused = (msg: string) => invalid({ field: "file", msg });
  if (!leaf.checkPrivateKey(createPrivateKey(found.privateKey))) throw refused(WHY.certificate[1]);
  if ((leaf.publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < 2048)
    throw refused("证书密钥长度不足2048位");
  const certificate = certified(found.pems, found.privateKey);
  if (certificate.validTo <= act.now) throw refused("证书已过期");
  if (certificate.validFrom > act.now) throw refused("证书尚未生效");
  const seal = await sealSeen(act, id, true);
  const certificateId = await keepCertificate(act, certificate, seal.lessorId);
  await revise(
    act,
    "seal",
    { id, version: seal.version },
    { certificateId, remindedOf: null as never, ...stamp(act) },
  );
  await note(
    act,
    seal,
    "导入证书",
    `导入印章证书：${certificate.subject}，指纹 ${certificate.fingerprint.slice(0, 16)}`,
  );
  return { id };
}

export async function dropCertificate(act: Act, id: number, version: number): Promise<{ id: number }> {
  const seal = await sealSeen(act, id, true);
  if (seal.certificateId === null) throw new Refusal("notAllowed", "该印章已使用系统证书");
  await revise(act, "seal", { id, version }, { certificateId: null as never, ...stamp(act) });
  await note(act, seal, "改用系统证书", "印章不再使用导入的证书，改用系统自签证书");
  return { id };
}
