import { creditCheckCharacter } from "../../../platform/kernel/texts/certificate.ts";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";

const next = counter();

/** A file as if somebody had uploaded it. */
export async function aFile(house: TestHouse, bytes: Buffer, name: string, type: string): Promise<number> {
  const { key, sha256, size } = await house.files.put(bytes);
  const { id } = await house.database.db
    .insertInto("storedFile")
    .values({ name, type, size, sha256, storageKey: key, enterpriseId: house.enterpriseId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A transparent PNG of one dot. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** A verified lessor that may sign contracts of every kind for the whole of 2026. */
export async function aLessor(house: TestHouse, name = "青禾公寓管理有限公司"): Promise<number> {
  const first17 = `9133010600000${String(1000 + next())}`;
  const paper = await aFile(house, DOT, "执照.png", "image/png");
  const { id } = await house.database.db
    .insertInto("lessor")
    .values({
      enterpriseId: house.enterpriseId,
      name,
      creditCode: first17 + creditCheckCharacter(first17),
      kind: "company",
      legalName: "林敏",
      legalCertType: "idCard",
      legalCertNoCipher: house.cipher.seal("330106199003074528"),
      legalCertLast4: "4528",
      legalPhone: "13800001111",
      licenceFileId: paper,
      legalFrontFileId: paper,
      legalBackFileId: paper,
      verifyState: "verified",
      authState: "authorised",
      authFrom: "2026-01-01",
      authTo: "2026-12-31",
      authKinds: ["renter", "company", "merchant"],
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A contract seal of such a lessor for stores, set by these operators. */
export async function aSeal(
  house: TestHouse,
  of: { villageIds: number[]; operatorIds: number[]; lessorId?: number; kind?: string; autoSeal?: boolean },
): Promise<number> {
  const { lessorId = await aLessor(house), kind = "contract", ...more } = of;
  const imageFileId = await aFile(house, DOT, "印章.png", "image/png");
  const { id } = await house.database.db
    .insertInto("seal")
    .values({ ...more, lessorId, kind, name: `合同专用章${next()}`, imageFileId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await house.database.db
    .updateTable("storedFile")
    .set({ targetKind: "seal", targetId: id })
    .where("id", "=", imageFileId)
    .execute();
  return id;
}
