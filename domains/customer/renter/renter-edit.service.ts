import { maskCertificate, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { changeParty, linkParty } from "../../party/party/party.service.ts";
import { checkWords, wordOf } from "../../system/dic/dic.service.ts";
import { attachFile, letGo } from "../../system/file/file.service.ts";
import type { RenterEdit } from "./renter.contract.ts";
import { attachPictures, derivedFrom, noteRenter, paperOf, plainColumns, sealed } from "./renter.service.ts";
import { seenRenter } from "./renter.queries.ts";
import { CERT_TYPES, GENDERS } from "./words.rules.ts";

const PICTURES = ["photoFileId", "certFrontFileId", "certBackFileId"] as const;
type Before = Awaited<ReturnType<typeof seenRenter>>;

/** Every record of one person: the one kept and those merged into it. */
export async function wholeOf(read: Read, id: number): Promise<number[]> {
  const aliases = await read.tx.selectFrom("renter").select("id").where("mergedIntoId", "=", id).execute();
  return [id, ...aliases.map((a) => a.id)];
}

/** True once a contract of the person was signed and not voided. */
export async function hasSigned(read: Read, ids: readonly number[]): Promise<boolean> {
  const row = await read.tx
    .selectFrom("contractBrief")
    .select("id")
    .where("partyId", "in", [...ids])
    .where("signedOn", "is not", null)
    .where("state", "<>", "voided")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Old and new of what changed, by label and as people may read it. */
function changes(
  before: Before,
  input: RenterEdit,
  { certNoMasked, sources }: { certNoMasked: string | null; sources: readonly [old: string, now: string] },
) {
  const word = (words: Record<string, readonly [string, string]>, key: string | null | undefined) =>
    (key && words[key]?.[0]) || "";
  const phone = (text: string | undefined, old: string) => maskPhone(text ?? old);
  const pairs: [label: string, old: string, now: string][] = [
    ["姓名", before.name, input.name],
    ["手机", maskPhone(before.phone), phone(input.phone, before.phone)],
    ["证件类型", word(CERT_TYPES, before.certType), word(CERT_TYPES, input.certType)],
    ["证件号", before.certNoMasked ?? "", certNoMasked ?? before.certNoMasked ?? ""],
    ["性别", word(GENDERS, before.gender), word(GENDERS, input.gender)],
    ["生日", before.birthday ?? "", input.birthday ?? ""],
    ["邮箱", before.email, input.email],
    ["职业", before.occupation, input.occupation],
    ["工作单位", before.employer, input.employer],
    ["紧急联系人", before.emergencyName, input.emergencyName],
    ["紧急联系电话", maskPhone(before.emergencyPhone), phone(input.emergencyPhone, before.emergencyPhone)],
    ["监护人", before.guardianName, input.guardianName],
    ["来源", ...sources],
    ["标签", before.tags.join("、"), input.tags.join("、")],
    ["备注", before.remark, input.remark],
  ];
  const changed = pairs.filter(([, old, now]) => old !== now);
  const side = (i: 1 | 2) => Object.fromEntries(changed.map((pair) => [pair[0], pair[i]]));
  return { labels: changed.map(([label]) => label), before: side(1), after: side(2) };
}

export async function updateRenter(act: Act, id: number, input: RenterEdit): Promise<void> {
  const before = await seenRenter(act, id);
  // A store that only links the person leaves the store that registered it as it is.
  if (input.homeVillageId !== before.homeVillageId) inScope(act.who, input.homeVillageId);
  await checkWords(act, "customer", "source", [input.source], { field: "source", kept: [before.source] });
  const newNumber = input.certNo && !sameNumber(act, before, input.certNo) ? input.certNo : undefined;
  const identity = input.name !== before.name || !!newNumber || (input.certType ?? null) !== before.certType;
  if (input.certType && !input.certNo && (!before.certNoHash || input.certType !== before.certType))
    throw invalid({ field: "certNo", msg: "请输入证件号" });
  const correcting = identity && (await hasSigned(act, await wholeOf(act, id)));
  if (correcting) demandCorrection(input);

  const cert = newNumber ? sealed(act, newNumber) : {};
  await changeParty(act, id, input.version, { name: input.name, phone: input.phone ?? before.phone });
  const guardianPhone = input.guardianPhone ?? before.guardianPhone;
  const whole = input.certNo ?? (before.certNoCipher ? act.cipher.open(before.certNoCipher) : null);
  const derived = derivedFrom(act, { ...input, certNo: whole, guardianPhone });
  await act.tx
    .updateTable("renter")
    .set({
      ...plainColumns(input),
      ...cert,
      ...derived,
      emergencyPhone: input.emergencyPhone ?? before.emergencyPhone,
      guardianPhone,
      // What was checked is no longer what stands here.
      ...(identity ? { verify: "unverified", verifyNote: "", verifiedAt: null } : {}),
    })
    .where("id", "=", id)
    .execute();
  await linkParty(act, id, input.homeVillageId, "home");
  await attachPictures(act, id, input);
  await letGo(
    act,
    PICTURES.map((key) => before[key]).filter((file) => !PICTURES.some((key) => input[key] === file)),
  );
  if (correcting) await attachFile(act, input.correctionFileId!, paperOf(id, input.homeVillageId));
  const log = changes(
    before,
    { ...input, ...derived },
    {
      certNoMasked: newNumber ? maskCertificate(newNumber.toUpperCase()) : null,
      sources: [
        await wordOf(act, "customer", "source", before.source),
        await wordOf(act, "customer", "source", input.source),
      ],
    },
  );
  await noteRenter(act, before, {
    action: correcting ? "更正" : "编辑",
    summary: correcting
      ? `更正${log.labels.join("、")}：${input.correctionReason}`
      : `编辑租客资料${log.labels.length ? `：${log.labels.join("、")}` : ""}`,
    before: log.before,
    after: { ...log.after, ...(correcting && { 更正附件: input.correctionFileId }) },
  });
}

const sameNumber = (act: Act, before: Before, certNo: string) =>
  !!before.certNoHash && act.cipher.hash(certNo).equals(Buffer.from(before.certNoHash));

function demandCorrection(input: RenterEdit): void {
  if (!input.correctionReason)
    throw invalid({ field: "correctionReason", msg: "已签合同，姓名和证件须填写更正原因" });
  if (!input.correctionFileId)
    throw invalid({ field: "correctionFileId", msg: "已签合同，更正姓名和证件须上传证明文件" });
}
