import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/act.ts";
import { brandOf } from "../../../platform/server/brand.ts";
import { matches } from "./password.service.ts";
import { endSessions, failures, LOCK_AFTER, recordFailure } from "./session.service.ts";

/**
 * Asks who is signed in for the password once more, before something that a borrowed session must not do. `sent` is
 * hashed as at the log-in, and wrong ones count as failed log-ins do: the fifth locks the account, a right one forgets them. Call it before
 * anything is written, because the count is kept although the call is refused.
 */
export async function confirmPassword(act: Act, sent: string): Promise<void> {
  const { account, passwordHash } = await act.tx
    .selectFrom("operator")
    .select(["account", "passwordHash"])
    .where("id", "=", act.who.operatorId)
    .executeTakeFirstOrThrow();
  const name = account.toLowerCase();
  // tries stand in one line with those at the log-in
  await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${name}`}, 0))`.execute(act.tx);
  const times = (await brandOf(act.settings.BRAND)).passwordHashTimes;
  if (await matches(passwordHash, sent, times)) {
    await act.tx.deleteFrom("loginFailure").where("account", "=", name).execute();
    return;
  }
  await recordFailure(act, name);
  const locked = (await failures(act, "account", name)) >= LOCK_AFTER;
  if (locked) {
    await act.tx
      .updateTable("operator")
      .set({ state: "locked" })
      .where("id", "=", act.who.operatorId)
      .execute();
    await endSessions(act, act.who.operatorId, "locked");
  }
  const msg = locked ? "账号已锁定，请联系管理员解锁" : "登录密码错误";
  throw new Refusal("passwordWrong", msg, 400, { fields: [{ field: "password", msg }], keeps: true });
}
