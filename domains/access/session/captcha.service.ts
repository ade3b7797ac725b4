import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { draw, LETTERS } from "./drawing.service.ts";

const NAMES = Object.keys(LETTERS);
/** 2 minutes, used once. */
const TTL_MS = 120_000;

const digest = (answer: string) => createHash("sha256").update(answer.toUpperCase()).digest();
export async function newCaptcha(read: Read): Promise<{ key: string; image: Buffer; answer: string }> {
  const answer = Array.from({ length: 4 }, () => NAMES[randomInt(NAMES.length)]!).join("");
  const key = randomBytes(16).toString("hex");
  const expiresAt = new Date(read.now.getTime() + TTL_MS).toISOString();
  await read.tx
    .insertInto("captcha")
    .values({ key, answerHash: digest(answer), expiresAt })
    .execute();
  await read.tx.deleteFrom("captcha").where("expiresAt", "<", read.now.toISOString()).execute();
  return { key, image: draw(answer), answer };
}

/** True for the right answer to a live key; right or wrong, the key is used up. */
export async function usesCaptcha(
  act: Act,
  key: string | undefined,
  answer: string | undefined,
): Promise<boolean> {
  if (!key || !answer) return false;
  const row = await act.tx.deleteFrom("captcha").where("key", "=", key).returningAll().executeTakeFirst();
  return !!row && new Date(row.expiresAt) > act.now && row.answerHash.equals(digest(answer));
}
