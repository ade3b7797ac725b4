import { hash, verify } from "@node-rs/argon2";
import { createHash } from "node:crypto";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { forgetFailuresHere, inLine, lockedMinutes, lockedRefusal, recordFailure } from "./lock.service.ts";
import { theRow } from "../../../platform/server/database/row.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * What is stored is argon2id of the twice-hashed password, so one password works under every brand:
 * a console that hashes once is given the missing round here.
 */
export const rounded = (sent: string, times: 1 | 2): string => (times === 2 ? sent : sha(sent));
/** For calls that set a password and send it plain over TLS. */
export const storedForm = (plain: string): Promise<string> => hash(sha(sha(plain)));
export const matches = (stored: string, sent: string, times: 1 | 2): Promise<boolean> =>
  verify(stored, rounded(sent, times)).catch(() => false);
export const matchesPlain = (stored: string, plain: string): Promise<boolean> =>
  matches(stored, sha(sha(plain)), 2);

// Verified against when no such account exists, so that the answer takes as long.
let decoy: Promise<string> | undefined;
export const wasteTime = async (sent: string): Promise<false> => {
  await verify(await (decoy ??= hash("nobody")), sent);
  return false;
};

/**
 * Asks who is signed in for the password once more, before something that a borrowed session must not do. `sent` is
 * hashed as at the log-in, and wrong ones count as failed log-ins do: the fifth locks, a right one forgets them. The
 * session stays, and asks again when the lock has lapsed. Call it before anything is written, because the count is kept
 * although the call is refused.
 */
export async function confirmPassword(act: Act, sent: string): Promise<void> {
  const { account, passwordHash } = await theRow(act, "operator", ["account", "passwordHash"], {
    id: act.who.operatorId,
  });
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
