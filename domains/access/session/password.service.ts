import { createHash } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

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
/** For a password as it was typed. */
export const matchesPlain = (stored: string, plain: string): Promise<boolean> =>
  matches(stored, sha(sha(plain)), 2);

// Verified against when no such account exists, so that the answer takes as long.
let decoy: Promise<string> | undefined;
export const wasteTime = async (sent: string): Promise<false> => {
  await verify(await (decoy ??= hash("nobody")), sent);
  return false;
};
