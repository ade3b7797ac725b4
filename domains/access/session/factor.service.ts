import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { demandsCaptcha, lockedRefusal, recordFailure } from "./lock.service.ts";
import { base32, stepOf } from "./totp.service.ts";

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
