import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { forgetFailuresHere, inLine, lockedMinutes, lockedRefusal, recordFailure } from "./lock.service.ts";
import { matches } from "./password.service.ts";

/**
 * Asks who is signed in for the password once more, before something that a borrowed session must not do. `sent` is
 * hashed as at the log-in, and wrong ones count as failed log-ins do: the fifth locks, a right one forgets them. The
 * session stays, and asks again when the lock has lapsed. Call it before anything is written, because the count is kept
 * although the call is refused.
 */
export async function confirmPassword(act: Act, sent: string): Promise<void> {
  const { account, passwordHash } = await act.tx
    .selectFrom("operator")
    .select(["account", "passwordHash"])
    .where("id", "=", act.who.operatorId)
    .executeTakeFirstOrThrow();
  const name = account.toLowerCase();
  // tries stand in one line with those at the log-in
  await inLine(act, name);
  const shut = await lockedMinutes(act, name);
  if (shut) throw lockedRefusal("passwordWrong", shut, "password");
  const times = (await brandOf(act.settings.BRAND)).passwordHashTimes;
  if (await matches(passwordHash, sent, times)) {
    await forgetFailuresHere(act, name);
    return;
  }
  const locked = await recordFailure(act, name);
  if (locked) throw lockedRefusal("passwordWrong", locked, "password");
  const msg = "登录密码错误";
  throw new Refusal("passwordWrong", msg, 400, { fields: [{ field: "password", msg }], keeps: true });
}
