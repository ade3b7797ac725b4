import { createPrivateKey, createSign, createVerify, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import { aLessor, aSeal } from "./seal.sample.ts";
import { holdSeal, keyOf, mayStamp, noteSealUse, sealFor } from "./seal.service.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const villageId = await aVillage(house);
const elsewhere = await aVillage(house);
const holder = await house.person({ villages: [villageId] });
const lessorId = await aLessor(house);
const operatorIds = [holder.operatorId];
const official = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds, kind: "official" });
const finance = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds, kind: "finance" });
const to = { villageId, contractKind: "renter" as const };
const { db } = house.database;

test("the contract seal comes before the official one, a finance seal never closes a contract", async () => {
  expect(await acting(house, (act) => sealFor(act, to))).toMatchObject({ id: official, lessorId });
  const contract = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds });
  expect(await acting(house, (act) => sealFor(act, to))).toMatchObject({ id: contract, kind: "contract" });
  await db.deleteFrom("seal").where("id", "=", contract).execute();
  await expect(acting(house, (act) => sealFor(act, { ...to, villageId: elsewhere }))).rejects.toThrow(
    "该门店没有可用的印章，请在合同配置的印章中为门店设置",
  );
  expect(finance).toBeGreaterThan(0);
});

test.each([
  [{ authState: "revoked" }, "企业授权已撤销"],
  [{ authState: "expired" }, "企业授权已过期"],
  [{ authState: "authorised", authTo: "2026-03-11" }, "企业授权已过期"],
  [{ authTo: "2026-03-12", authState: "pending" }, "企业尚未完成签署授权"],
  [{ authState: "authorised", authFrom: "2026-03-13", authTo: "2026-12-31" }, "企业授权自 2026-03-13 起生效"],
  [{ authFrom: "2026-03-12", authKinds: ["merchant"] }, "企业授权不包含该类合同"],
  [{ authKinds: ["renter"], authVillageIds: [elsewhere] }, "企业授权不包含该门店"],
  [{ authVillageIds: [villageId], authSealIds: [finance] }, "企业授权不包含该印章"],
  [{ authSealIds: [], enabled: false }, "企业已停用"],
])("%j: no seal may be set: %s", async (change, sentence) => {
  await db.updateTable("lessor").set(change).where("id", "=", lessorId).execute();
  await expect(acting(house, (act) => sealFor(act, to))).rejects.toThrow(sentence);
  await expect(acting(house, (act) => holdSeal(act, official, to))).rejects.toThrow(sentence);
});

test("where one lessor may not sign, the seal of another that may is taken", async () => {
  const second = await aSeal(house, { villageIds: [villageId], operatorIds });
  expect(await acting(house, (act) => sealFor(act, to))).toMatchObject({ id: second });
  await db.deleteFrom("seal").where("id", "=", second).execute();
  await db.updateTable("lessor").set({ enabled: true }).where("id", "=", lessorId).execute();
});

test("the deployment's certificate is made once, kept sealed, and signs", async () => {
  const [a, b] = await Promise.all([1, 2].map(() => acting(house, (act) => keyOf(act, official))));
  expect(a).toEqual(b);
  const certificate = new X509Certificate(a!.pem);
  expect(certificate.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(a!.fingerprint);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(a!.privateKey))).toBe(true);
  expect(certificate.subject).toContain("CN=电子合同签署（自签证书）");
  expect(a!.validTo.getUTCFullYear()).toBe(2036);
  const mark = createSign("sha256").update("甲").sign(a!.privateKey);
  expect(createVerify("sha256").update("甲").verify(certificate.publicKey, mark)).toBe(true);
  const kept = await db.selectFrom("sealCertificate").selectAll().execute();
  expect(kept).toHaveLength(1);
  expect(Buffer.from(kept[0]!.keyCipher).includes("PRIVATE KEY")).toBe(false);
});

test("each use is on record, with who set the seal and why", async () => {
  const seal = await acting(house, (act) => holdSeal(act, official, to));
  expect(() => mayStamp({ who: { operatorId: holder.operatorId + 1 } as never }, seal)).toThrow(
    "没有权限执行此操作",
  );
  await acting(
    house,
    async (act) => {
      mayStamp(act, seal);
      const { certificateId } = await keyOf(act, official);
      const title = "租客合同 HT20260312-000001";
      await noteSealUse(act, {
        sealId: official,
        certificateId,
        documentId: 7,
        title,
        villageId,
        reason: "签约",
      });
    },
    { operatorId: holder.operatorId, name: "周敏" },
  );
  expect(await db.selectFrom("sealUse").selectAll().execute()).toMatchObject([
    { sealId: official, documentId: 7, operatorId: holder.operatorId, reason: "签约" },
  ]);
  const logged = await db.selectFrom("businessLog").select("summary").where("kind", "=", "seal").execute();
  expect(logged[0]!.summary).toMatch(/^公章「合同专用章\d+」用于租客合同 HT20260312-000001：签约$/);
});
