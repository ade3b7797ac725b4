import { pinyin } from "pinyin-pro";
import { birthdayOf, genderOf } from "../../../platform/kernel/certificate.ts";
import { addMonths } from "../../../platform/kernel/day.ts";
import { maskCertificate } from "../../../platform/kernel/mask.ts";
import { invalid, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { constraintSays } from "../../../platform/server/constraints.ts";
import { inScope } from "../../../platform/server/scope.ts";
import type { RenterInput } from "./renter.contract.ts";

constraintSays("renter_cert", { field: "certNo", msg: "该证件号已登记" });

const initials = (name: string) =>
  pinyin(name, { pattern: "first", toneType: "none", separator: "" }).toLowerCase();

/** What the certificate says wins over what was typed; whoever is under 18 needs a guardian. */
function derived(act: Act, input: RenterInput) {
  const isId = input.certType === "idCard" && !!input.certNo;
  const birthday = (isId ? birthdayOf(input.certNo!) : undefined) ?? input.birthday ?? null;
  if (birthday && addMonths(birthday, 18 * 12) > act.today && !(input.guardianName && input.guardianPhone))
    throw invalid({ field: "guardianName", msg: "未满18周岁，需填写监护人及电话" });
  return { birthday, gender: (isId ? genderOf(input.certNo!) : undefined) ?? input.gender ?? null };
}

function columnsOf(act: Act, input: RenterInput) {
  const certNo = input.certNo?.toUpperCase();
  return {
    phoneArea: input.phoneArea,
    certType: input.certType ?? null,
    ...(certNo
      ? {
          certNoCipher: act.cipher.seal(certNo),
          certNoHash: act.cipher.hash(certNo),
          certNoMasked: maskCertificate(certNo),
        }
      : { certNoCipher: null, certNoHash: null, certNoMasked: null }),
    ...derived(act, input),
    nationality: input.nationality,
    email: input.email,
    occupation: input.occupation,
    employer: input.employer,
    emergencyName: input.emergencyName,
    emergencyPhone: input.emergencyPhone,
    emergencyRelation: input.emergencyRelation,
    guardianName: input.guardianName,
    guardianPhone: input.guardianPhone,
    source: input.source,
    tags: input.tags,
    photoFileId: input.photoFileId ?? null,
    certFrontFileId: input.certFrontFileId ?? null,
    certBackFileId: input.certBackFileId ?? null,
    remark: input.remark,
    homeVillageId: inScope(act.who, input.homeVillageId),
  };
}

/** Makes the person once per enterprise: the same certificate a second time is refused, also in a race. */
export async function createRenter(act: Act, input: RenterInput): Promise<{ id: number }> {
  const columns = columnsOf(act, input);
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", input.homeVillageId)
    .executeTakeFirstOrThrow();
  const { id } = await act.tx
    .insertInto("party")
    .values({
      enterpriseId,
      kind: "renter",
      name: input.name,
      phone: input.phone,
      pinyin: initials(input.name),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("renter")
    .values({ id, enterpriseId, ...columns })
    .execute();
  await linkParty(act, id, input.homeVillageId, "home");
  await act.note({
    kind: "renter",
    recordId: id,
    villageId: input.homeVillageId,
    action: "新增",
    summary: `登记租客${input.name}`,
  });
  return { id };
}

export async function updateRenter(
  act: Act,
  id: number,
  version: number,
  input: RenterInput,
  because = "",
): Promise<void> {
  const before = await act.tx
    .selectFrom("party")
    .select(["name", "phone"])
    .where("id", "=", id)
    .executeTakeFirst();
  const kept = await act.tx
    .updateTable("party")
    .set((eb) => ({
      name: input.name,
      phone: input.phone,
      pinyin: initials(input.name),
      updatedAt: act.now.toISOString(),
      updatedBy: act.who.operatorId,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (!kept.numUpdatedRows) throw stale();
  const { certNoCipher, certNoHash, certNoMasked, ...rest } = columnsOf(act, input);
  // An edit that does not carry the number keeps it: screens only ever hold it masked.
  const certificate = certNoCipher ? { certNoCipher, certNoHash, certNoMasked } : {};
  await act.tx
    .updateTable("renter")
    .set({ ...rest, ...certificate })
    .where("id", "=", id)
    .execute();
  await linkParty(act, id, input.homeVillageId, "home");
  await act.note({
    kind: "renter",
    recordId: id,
    villageId: input.homeVillageId,
    action: because ? "更正" : "编辑",
    summary: because ? `更正租客资料：${because}` : "编辑租客资料",
    before,
    after: { name: input.name, phone: input.phone },
  });
}

export type LinkReason = "home" | "lead" | "reservation" | "contract" | "link";

/** Lets a village see the party, once; a second link of the same kind changes nothing. */
export async function linkParty(
  act: Act,
  partyId: number,
  villageId: number,
  because: LinkReason,
): Promise<void> {
  await act.tx
    .insertInto("partyVillage")
    .values({ partyId, villageId, because, firstDay: act.today })
    .onConflict((oc) => oc.columns(["partyId", "villageId"]).doNothing())
    .execute();
}

export type BlackHit = { level: "forbid" | "warn"; reason: string; source: string };

/** The worst live entry that names this certificate or phone within the enterprise. */
export async function blackHit(
  read: Read,
  of: { certNoHash?: Uint8Array | null; phone?: string },
): Promise<BlackHit | undefined> {
  const { certNoHash, phone } = of;
  if (!certNoHash && !phone) return undefined;
  const rows = await read.tx
    .selectFrom("blackList")
    .select(["level", "reason", "source"])
    .where("active", "=", true)
    .where((eb) =>
      eb.or([
        ...(certNoHash ? [eb("certNoHash", "=", Buffer.from(certNoHash))] : []),
        ...(phone ? [eb("phone", "=", phone)] : []),
      ]),
    )
    .execute();
  return (rows.find((r) => r.level === "forbid") ?? rows[0]) as BlackHit | undefined;
}
