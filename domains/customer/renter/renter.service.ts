import { birthdayOf, genderOf } from "../../../platform/kernel/texts/certificate.ts";
import { addMonths } from "../../../platform/kernel/day.ts";
import { maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { linkParty, makeParty, noteParty } from "../../party/party/party.service.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { type Carrier, attachFiles } from "../../system/file/file.service.ts";
import type { RenterInput } from "./renter.contract.ts";
import { theRow } from "../../../platform/server/database/row.ts";

type Entry = { action: string; summary: string; before?: unknown; after?: unknown };

/** Writes the renter's timeline. */
export const noteRenter = (
  act: Act,
  renter: { id: number; homeVillageId: number },
  entry: Entry,
  alsoFor?: number,
): Promise<void> =>
  noteParty(act, { kind: "renter", id: renter.id, homeVillageId: renter.homeVillageId }, entry, alsoFor);

constraintSays("renter_cert", { field: "certNo", msg: "该证件号已登记" });

/** A certificate as it is kept: sealed, with a keyed hash beside it by which equal numbers meet. */
export const sealed = (read: Read, certNo: string) => ({
  certNoCipher: read.cipher.seal(certNo.toUpperCase()),
  certNoHash: read.cipher.hash(certNo),
  certNoMasked: maskCertificate(certNo.toUpperCase()),
});

/** What the certificate says wins over what was typed; whoever is under 18 needs a guardian. */
export function derivedFrom(
  act: Act,
  input: Pick<RenterInput, "certType" | "certNo" | "birthday" | "gender" | "guardianName"> & {
    guardianPhone?: string | undefined;
  },
) {
  const isId = input.certType === "idCard" && !!input.certNo;
  const birthday = (isId ? birthdayOf(input.certNo!) : undefined) ?? input.birthday ?? null;
  if (birthday && birthday > act.today) throw invalid({ field: "birthday", msg: "生日不能晚于今天" });
  if (birthday && addMonths(birthday, 18 * 12) > act.today && !(input.guardianName && input.guardianPhone))
    throw invalid({ field: "guardianName", msg: "未满18周岁，需填写监护人及电话" });
  return { birthday, gender: (isId ? genderOf(input.certNo!) : undefined) ?? input.gender ?? null };
}

/** Columns that add and edit write alike. */
export const plainColumns = (
  input: Omit<RenterInput, "phone" | "certNo" | "emergencyPhone" | "guardianPhone">,
) => ({
  phoneArea: input.phoneArea,
  certType: input.certType ?? null,
  nationality: input.nationality,
  email: input.email,
  occupation: input.occupation,
  employer: input.employer,
  emergencyName: input.emergencyName,
  emergencyRelation: input.emergencyRelation,
  guardianName: input.guardianName,
  source: input.source,
  tags: input.tags,
  photoFileId: input.photoFileId ?? null,
  certFrontFileId: input.certFrontFileId ?? null,
  certBackFileId: input.certBackFileId ?? null,
  remark: input.remark,
  homeVillageId: input.homeVillageId,
});

/**
 * Makes the person once per enterprise: the same certificate a second time is refused, also in a race. `source` is
 * where a lead came from, which may not be offered any more.
 */
export async function createRenter(
  act: Act,
  input: RenterInput,
  { source }: { source?: string | undefined } = {},
): Promise<{ id: number }> {
  inScope(act.who, input.homeVillageId);
  await checkWords(act, "customer", "source", [input.source], { field: "source", kept: [source ?? ""] });
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: input.homeVillageId });
  const { name, phone } = input;
  const id = await makeParty(act, { enterpriseId, kind: "renter", name, phone });
  await act.tx
    .insertInto("renter")
    .values({
      id,
      enterpriseId,
      ...plainColumns(input),
      ...(input.certNo ? sealed(act, input.certNo) : {}),
      ...derivedFrom(act, input),
      emergencyPhone: input.emergencyPhone,
      guardianPhone: input.guardianPhone,
    })
    .execute();
  await linkParty(act, id, input.homeVillageId, "home");
  await attachPictures(act, id, input);
  await noteRenter(
    act,
    { id, homeVillageId: input.homeVillageId },
    { action: "新增", summary: `登记租客${input.name}` },
  );
  return { id };
}

/** Papers of a renter open for who may open the record, in the store that registered it. */
export const paperOf = (id: number, villageId: number): Carrier => ({
  targetKind: "renter",
  targetId: id,
  villageId,
  needs: "16.get",
});

export const attachPictures = (
  act: Act,
  id: number,
  input: Pick<RenterInput, "photoFileId" | "certFrontFileId" | "certBackFileId" | "homeVillageId">,
): Promise<void> =>
  attachFiles(
    act,
    [input.photoFileId, input.certFrontFileId, input.certBackFileId].filter((file) => file != null),
    paperOf(id, input.homeVillageId),
  );

/** The masked name of somebody else of the enterprise who has this phone: a warning, never a bar. */
export async function phoneUsedBy(read: Read, id: number, phone: string): Promise<string | null> {
  const other = await read.tx
    .selectFrom("party")
    .innerJoin("party as me", "me.enterpriseId", "party.enterpriseId")
    .innerJoin("renter", "renter.id", "party.id")
    .select("party.name")
    .where("me.id", "=", id)
    .where("party.id", "<>", id)
    .where("renter.mergedIntoId", "is", null)
    .where("party.phone", "=", phone)
    .limit(1)
    .executeTakeFirst();
  return other?.name ?? null;
}
