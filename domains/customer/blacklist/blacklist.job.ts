import { job } from "../../../platform/server/jobs/jobs.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";

/** Entries whose last day is over hold nobody back any more. */
export async function expireBlack(act: Act): Promise<number> {
  const { numUpdatedRows } = await act.tx
    .updateTable("blackList")
    .set({ active: false, version: NEXT_VERSION })
    .where("active", "=", true)
    .where("expiresOn", "<", act.today)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export default [job({ name: "blackList.expire", title: "黑名单到期", cron: "1 0 * * *", work: expireBlack })];
