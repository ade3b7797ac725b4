import { createHash, generateKeyPairSync } from "node:crypto";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { storedForm } from "../../access/session/password.service.ts";

/** Everything that can be done with accounts. */
export const KEEPER = [
  ...["query", "get", "add", "edit", "delete", "enable", "disable", "export"].map((a) => `252.${a}`),
  "#10101",
];

/** What the form of a WeChat account of head office carries. */
export const wechatAccount = (more: object = {}) => ({
  name: "微信商户号",
  kind: "wechat" as const,
  holderVillageId: 0,
  mchId: "1600000001",
  feeRate: 0.006,
  ...more,
});

/** The same of a bank account. */
export const bankAccount = (more: object = {}) => ({
  name: "基本户",
  kind: "bank" as const,
  holderVillageId: 0,
  bankName: "杭州滨江支行",
  accountName: "青禾公寓管理有限公司",
  bankAccountNo: "3300-1600-0000-0001",
  statementMode: "claim" as const,
  ...more,
});

const PASSWORD = "Qing2026!";
/** A password as the console sends it under the product's own brand. */
export const hashed = (password = PASSWORD): string => createHash("sha256").update(password).digest("hex");

/** Gives somebody the password that `hashed` sends. */
export async function withPassword(house: TestHouse, operatorId: number): Promise<void> {
  const passwordHash = await storedForm(PASSWORD);
  await house.database.db
    .updateTable("operator")
    .set({ passwordHash })
    .where("id", "=", operatorId)
    .execute();
}

/** Keys that could be real: what a merchant gets from WeChat. */
export function wechatKeys() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    apiV3Key: "0123456789abcdefghijABCDEFGHIJ01",
    certSerialNo: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** And from Alipay: bare base64. */
export function alipayKeys() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    appPrivateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    alipayPublicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}
