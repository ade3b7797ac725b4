import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { OPEN_TRIES, SAID, isLocked, wrongTry } from "./esign.rules.ts";

/** A link whose tenant names the last four characters with everything that he sends. */
export type Knocked = {
  last4: string;
  last4Of: "certificate" | "creditCode";
  openTries: number;
  lockedUntil: string | null;
};

/** Refuses who cannot name the last four characters; wrong tries are counted although the call is refused. */
export async function refuseStranger(
  act: Act,
  link: Knocked,
  typed: string,
  keep: (set: { openTries: number; lockedUntil: string | null }) => Promise<unknown>,
): Promise<void> {
  const until = link.lockedUntil ? new Date(link.lockedUntil).getTime() : null;
  if (isLocked(until, act.now.getTime())) throw new Refusal("locked", SAID.tooManyOpens, 423);
  if (typed.toUpperCase() === link.last4) return;
  const { tries, lockedUntil } = wrongTry(link.openTries, OPEN_TRIES, act.now.getTime());
  const locked = lockedUntil === null ? null : new Date(lockedUntil).toISOString();
  await keep({ openTries: tries, lockedUntil: locked });
  if (locked) throw new Refusal("locked", SAID.tooManyOpens, 423, { keeps: true });
  const what = link.last4Of === "creditCode" ? "统一社会信用代码后四位" : "证件号后四位";
  const msg = `${what}不正确，还可尝试${OPEN_TRIES - tries}次`;
  throw new Refusal("wrong", msg, 400, { fields: [{ field: "last4", msg }], keeps: true });
}
