import type { Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

export type DemoAccount = { account: string; password: string; name: string };

/** Accounts that the login page of a demo offers, in the order they were given. Nothing in production, whatever is stored. */
export async function demoAccounts(read: Read): Promise<DemoAccount[]> {
  if (read.settings.MODE !== "demo") return [];
  return read.tx
    .selectFrom("demoAccount")
    .select(["account", "password", "name"])
    .orderBy("orderNum")
    .orderBy("account")
    .execute();
}

/** For the demo data alone: passwords stand here as they are typed. */
export async function offerDemoAccounts(tx: Kysely<DB>, accounts: readonly DemoAccount[]): Promise<void> {
  await tx.deleteFrom("demoAccount").execute();
  if (accounts.length)
    await tx
      .insertInto("demoAccount")
      .values(accounts.map((one, orderNum) => ({ ...one, orderNum })))
      .execute();
}
