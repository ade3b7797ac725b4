import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { RefundTold } from "./driver.rules.ts";

/** Whoever sends money back through channels hears what became of it. */
type Listener = (act: Act, told: RefundTold) => Promise<void>;
const listeners: Listener[] = [];

/** Registers who books refunds; called once, by the file that does. */
export const hearsOfRefunds = (listener: Listener): void => void listeners.push(listener);

export async function refundTold(act: Act, told: RefundTold): Promise<void> {
  for (const listener of listeners) await listener(act, told);
}
