import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Settings } from "../../../platform/server/process/settings.ts";
import type { Conf, KEY_NAMES } from "./conf.queries.ts";
import { type InvoiceDriver, NUONUO_ENDPOINT, SAMPLES_OFF, samplesOn } from "./einvoice.rules.ts";
import { nuonuoDriver } from "./nuonuo.service.ts";
import { type Place, sampleDriver } from "./sample.service.ts";

export const NOTIFY_PATH = "/billing/api/v3/invoiceNotify";

/** The driver of a configuration; refused with what is missing. */
export async function driverOf(place: Place & { settings: Settings }, conf: Conf): Promise<InvoiceDriver> {
  if (conf.driver === "manual") throw new Refusal("notAllowed", "该企业为手工登记发票，请登记已开具的发票");
  if (conf.driver === "simulator") {
    if (!samplesOn(place.settings)) throw new Refusal("notAllowed", SAMPLES_OFF);
    return sampleDriver(place, conf);
  }
  const { db, cipher, settings } = place;
  const sealed = await db
    .selectFrom("einvoiceKey")
    .select(["name", "sealed"])
    .where("configId", "=", conf.id)
    .execute();
  const keys = new Map(sealed.map((k) => [k.name, k.sealed]));
  const key = (name: keyof typeof KEY_NAMES) => {
    const kept = keys.get(name);
    if (!kept) throw new Refusal("notAllowed", "服务商密钥未设置，请在电子发票配置中设置");
    return cipher.open(kept);
  };
  return nuonuoDriver({
    endpoint: conf.endpoint || NUONUO_ENDPOINT,
    appKey: key("appKey"),
    appSecret: key("appSecret"),
    taxNo: conf.taxNo,
    sellerName: conf.name,
    notifyUrl: settings.PUBLIC_URL && `${settings.PUBLIC_URL.replace(/\/$/, "")}${NOTIFY_PATH}/${conf.id}`,
    notifyKey: cipher.hash(`einvoice ${conf.id}`),
    now: () => place.now,
    token: async () => {
      const row = await db
        .selectFrom("einvoiceKey")
        .select("sealed")
        .where("configId", "=", conf.id)
        .where("name", "=", "accessToken")
        .where("expiresAt", ">", place.now.toISOString())
        .executeTakeFirst();
      return row && cipher.open(row.sealed);
    },
    keep: async (token, seconds) => {
      const kept = {
        sealed: cipher.seal(token),
        expiresAt: new Date(place.now.getTime() + (seconds - 60) * 1000).toISOString(),
      };
      await db
        .insertInto("einvoiceKey")
        .values({ ...kept, configId: conf.id, name: "accessToken" })
        .onConflict((oc) => oc.columns(["configId", "name"]).doUpdateSet(kept))
        .execute();
    },
  });
}
