import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Act, Read } from "../../../platform/server/act.ts";

// Letters as strokes on a 4×6 grid; those that people confuse (0 O, 1 I, 5 S …) are left out.
const STROKES: Record<string, string> = {
  "2": "0,1 1,0 3,0 4,1 4,2 0,6 4,6",
  "3": "0,0 4,0 2,2 4,4 3,6 0,6",
  "4": "3,6 3,0 0,4 4,4",
  "6": "4,0 1,1 0,4 1,6 3,6 4,5 3,3 0,4",
  "7": "0,0 4,0 1,6",
  "8": "2,3 0,1 2,0 4,1 2,3 0,5 2,6 4,5 2,3",
  "9": "4,2 1,3 0,1 1,0 3,0 4,2 3,6",
  A: "0,6 2,0 4,6 3,4 1,4",
  C: "4,1 3,0 1,0 0,2 0,4 1,6 3,6 4,5",
  E: "4,0 0,0 0,3 3,3 0,3 0,6 4,6",
  F: "4,0 0,0 0,3 3,3 0,3 0,6",
  H: "0,0 0,6 0,3 4,3 4,0 4,6",
  K: "0,0 0,6 0,3 4,0 0,3 4,6",
  L: "0,0 0,6 4,6",
  M: "0,6 0,0 2,3 4,0 4,6",
  N: "0,6 0,0 4,6 4,0",
  P: "0,6 0,0 3,0 4,1 3,3 0,3",
  R: "0,6 0,0 3,0 4,1 3,3 0,3 4,6",
  T: "0,0 4,0 2,0 2,6",
  W: "0,0 1,6 2,3 3,6 4,0",
  X: "0,0 4,6 2,3 4,0 0,6",
  Y: "0,0 2,3 4,0 2,3 2,6",
};
const LETTERS = Object.keys(STROKES);
/** 2 minutes, used once. */
const TTL_MS = 120_000;

const digest = (answer: string) => createHash("sha256").update(answer.toUpperCase()).digest();
const jitter = (n: number) => n + randomInt(-10, 11) / 10;

function draw(answer: string): string {
  const letters = [...answer].map((letter, i) => {
    const points = STROKES[letter]!.split(" ").map((p) => {
      const [x, y] = p.split(",").map(Number) as [number, number];
      return `${jitter(12 + i * 27 + x * 4.2).toFixed(1)},${jitter(9 + y * 3.8).toFixed(1)}`;
    });
    const turn = `rotate(${randomInt(-14, 15)} ${20 + i * 27} 20)`;
    return `<polyline points="${points.join(" ")}" transform="${turn}" stroke="hsl(${randomInt(200, 250)} 60% ${randomInt(28, 45)}%)" stroke-width="2.2"/>`;
  });
  const noise = Array.from(
    { length: 4 },
    () =>
      `<path d="M${randomInt(0, 20)},${randomInt(0, 40)} Q60,${randomInt(-10, 50)} 120,${randomInt(0, 40)}" stroke="#9aa7bd" stroke-width="1"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40" fill="none" stroke-linecap="round" stroke-linejoin="round"><rect width="120" height="40" rx="4" fill="#f2f4f7"/>${noise.join("")}${letters.join("")}</svg>`;
}

export async function newCaptcha(read: Read): Promise<{ key: string; image: string; answer: string }> {
  const answer = Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]!).join("");
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
