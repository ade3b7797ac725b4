import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { keysOf, type KeyName } from "../account/account.rules.ts";
import type { PayDriver } from "./pay-order.rules.ts";
import { tillDriver } from "./till.service.ts";
import { wechatDriver } from "./wechat.service.ts";

export const NOTIFY_PATH = "/billing/api/v3/payNotify";
type Place = Pick<Read, "tx" | "cipher" | "now" | "settings">;
type Account = { id: number; kind: string; mchId: string; appIds: { terminal: string; appId: string }[] };

const unusable = (why: string) => new Refusal("notAllowed", why);

/** The driver of a receiving account. What it lacks to take money by a code is said in a sentence. */
export async function driverOf(place: Place, accountId: number): Promise<PayDriver> {
  const { rows } = await sql<Account>`
    select id, kind, mch_id "mchId", app_ids "appIds" from merchant_account where id = ${accountId}`.execute(
    place.tx,
  );
  const [account] = rows;
  if (account?.kind === "till") return tillDriver(place, account.id, place.settings.TIME_ZONE);
  if (account?.kind !== "wechat") throw unusable("该账户不支持扫码收款");
  return wechatDriver(await wechatSetup(place, account));
}

async function wechatSetup(place: Place, account: Account) {
  const { tx, cipher, settings } = place;
  const sealed = await tx
    .selectFrom("merchantKey")
    .select(["name", "sealed"])
    .where("merchantAccountId", "=", account.id)
    .execute();
  const keys = new Map(sealed.map((k) => [k.name as KeyName, k.sealed]));
  const key = (name: KeyName) => (keys.has(name) ? cipher.open(keys.get(name)!) : "");
  if (keysOf("wechat").some((name) => !keys.has(name)))
    throw unusable("收款账户未设置密钥，请在“收款账户”中设置后再收款");
  const { appId } = account.appIds.find((a) => a.terminal === "h5") ?? account.appIds[0] ?? {};
  if (!appId) throw unusable("收款账户未填写AppID，请在“收款账户”中填写后再收款");
  if (!settings.PUBLIC_URL) throw unusable("系统未设置公网地址（PUBLIC_URL），微信支付无法通知收款结果");
  return {
    endpoint: settings.WECHATPAY_ENDPOINT,
    mchId: account.mchId,
    appId,
    apiV3Key: key("apiV3Key"),
    serialNo: key("certSerialNo"),
    privateKey: key("privateKey"),
    notifyUrl: `${settings.PUBLIC_URL.replace(/\/$/, "")}${NOTIFY_PATH}/${account.id}`,
    now: () => place.now,
    publicKey: async (serial: string) => {
      if (keys.has("wechatPublicKey") && serial === key("wechatKeyId")) return key("wechatPublicKey");
      const known = await tx
        .selectFrom("wechatCertificate")
        .select("publicKey")
        .where("merchantAccountId", "=", account.id)
        .where("serialNo", "=", serial)
        .where("expiresAt", ">", place.now.toISOString())
        .executeTakeFirst();
      return known?.publicKey;
    },
    keep: async (known: { serialNo: string; publicKey: string; expiresAt: string }[]) => {
      if (!known.length) return;
      await tx
        .insertInto("wechatCertificate")
        .values(
          known.map((k) => ({ ...k, merchantAccountId: account.id, fetchedAt: place.now.toISOString() })),
        )
        .onConflict((oc) =>
          oc.columns(["merchantAccountId", "serialNo"]).doUpdateSet((eb) => ({
            publicKey: eb.ref("excluded.publicKey"),
            expiresAt: eb.ref("excluded.expiresAt"),
            fetchedAt: eb.ref("excluded.fetchedAt"),
          })),
        )
        .execute();
    },
  };
}
