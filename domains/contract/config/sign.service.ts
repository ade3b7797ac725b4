import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { CONFIG_SOURCES } from "./config.rules.ts";
import type { Provider } from "../provider/provider.rules.ts";
import { SIGN_DEFAULTS, type SignOrder, type SignSettings } from "./sign.rules.ts";

type Of = { enterpriseId: number; villageId: number | null };

/** How contracts of a village are signed: by its own set, else the enterprise's, else as the product does it. */
export async function signSettingsOf(
  read: Pick<Read, "tx">,
  of: Of,
): Promise<SignSettings & { source: keyof typeof CONFIG_SOURCES }> {
  const row = await read.tx
    .selectFrom("contractConfig")
    .select(["villageId", "signOrder", "linkHours", "smsMinutes", "smsTries", "handwriting", "readSeconds"])
    .select(["offlineAllowed", "offlineNeedsApproval", "timestampUrl", "provider"])
    .where("enterpriseId", "=", of.enterpriseId)
    .where((eb) => eb.or([eb("villageId", "=", of.villageId), eb("villageId", "is", null)]))
    .orderBy(sql`village_id is null`)
    .limit(1)
    .executeTakeFirst();
  if (!row) return { ...SIGN_DEFAULTS, source: "platform" };
  const { villageId, ...values } = row;
  return {
    ...values,
    provider: values.provider as Provider,
    signOrder: values.signOrder as SignOrder,
    source: villageId === null ? "enterprise" : "village",
  };
}
