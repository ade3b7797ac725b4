import { createHash, createHmac, randomBytes } from "node:crypto";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { demandsCaptcha, lockedRefusal, recordFailure } from "./password.service.ts";

/** Time-based one-time passwords (RFC 6238) as every authenticator app knows them: SHA-1, six digits, 30 seconds. */
const STEP_MS = 30_000;
/** RFC 4648. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes as letters that people can type: five bits each. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => LETTERS[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** 160 bits, as long as the hash. */
export const newSecret = (): string => base32(randomBytes(20));

export const stepAt = (at: Date): number => Math.floor(at.getTime() / STEP_MS);

/** The six digits of a time step. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** The time step whose code it is: this one, or the one before or after it, for clocks that differ a little. */
export const stepOf = (secret: string, code: string, now: Date): number | undefined =>
  [0, -1, 1].map((away) => stepAt(now) + away).find((step) => codeOf(secret, step) === code);

/** What an app reads out of the picture; hash, digits and seconds are those it takes for granted. */
export const uriOf = (issuer: string, account: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;

const WRONG_CODE = "动态验证码错误或已使用，请等待下一个";
const RECOVERY_CODES = 10;

/** 60 bits of chance need no slow hash. */
const hashOf = (operatorId: number, code: string) =>
  createHash("sha256").update(`${operatorId} ${code.toUpperCase()}`).digest();

export const hasFactor = async ({ tx }: Pick<Read, "tx">, operatorId: number): Promise<boolean> =>
  !!(await tx
    .selectFrom("secondFactor")
    .select("operatorId")
    .where("operatorId", "=", operatorId)
    .where("confirmedAt", "is not", null)
    .executeTakeFirst());

/** Ten codes for days without the phone, each good for one log-in; only their hashes are kept. */
export async function newRecoveryCodes(act: Act, operatorId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(8)).slice(0, 12));
  await act.tx
    .insertInto("recoveryCode")
    .values(codes.map((code) => ({ operatorId, codeHash: hashOf(operatorId, code) })))
    .execute();
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** True for a live code of the app or a recovery code; either is used up by it. */
async function takesCode(act: Act, operatorId: number, typed: string): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(code)) {
    const used = await act.tx
      .deleteFrom("recoveryCode")
      .where("operatorId", "=", operatorId)
      .where("codeHash", "=", hashOf(operatorId, code))
      .executeTakeFirst();
    return used.numDeletedRows > 0n;
  }
  const factor = await act.tx
    .selectFrom("secondFactor")
    .select("secret")
    .where("operatorId", "=", operatorId)
    .where("confirmedAt", "is not", null)
    .executeTakeFirst();
  const step = factor && stepOf(act.cipher.open(factor.secret), code, act.now);
  if (step === undefined) return false;
  const fresh = await act.tx
    .updateTable("secondFactor")
    .set({ lastStep: step })
    .where("operatorId", "=", operatorId)
    .where("lastStep", "<", step)
    .executeTakeFirst();
  return fresh.numUpdatedRows > 0n;
}

/**
 * Refuses whoever does not show their second factor. A wrong code counts like a wrong password; call it in the line of the
 * account (`inLine`) and before anything is written, because the count is kept. `field`: where a form asks for it.
 */
export async function demandCode(
  act: Act,
  of: { id: number; account: string },
  typed: string | undefined,
  field?: string,
): Promise<void> {
  const account = of.account.toLowerCase();
  const no = (message: string, needImageCode: boolean) =>
    new Refusal("secondFactor", message, 400, {
      data: { needImageCode },
      fields: field ? [{ field, msg: message }] : [],
      keeps: true,
    });
  if (!typed) throw no("请输入动态验证码", await demandsCaptcha(act, account));
  if (await takesCode(act, of.id, typed)) return;
  const locked = await recordFailure(act, account);
  throw locked ? lockedRefusal("secondFactor", locked, field) : no(WRONG_CODE, true);
}

/** Takes the second factor away with its recovery codes. Answers whether there was one. */
export async function removeFactor(act: Act, operatorId: number): Promise<boolean> {
  const had = await hasFactor(act, operatorId);
  await act.tx.deleteFrom("secondFactor").where("operatorId", "=", operatorId).execute();
  return had;
}
