import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { CodeChannel, Outcome, RefundTold } from "./pay-order.rules.ts";

/** Money that a channel says it has taken for a record. */
export type Collected = {
  amount: Fen;
  channel: CodeChannel;
  merchantAccountId: number;
  paidAt: string;
  payerName: string;
  channelTradeNo: string;
  outTradeNo: string;
};

/**
 * A kind of record that customers pay by a code, registered by the domain that owns it. It takes the money in the
 * transaction of the channel's notification and never refuses it: what cannot be used for the record is kept for the
 * customer.
 */
export type Collector = {
  kind: string;
  /** The record is locked before its order, as when a code is shown. */
  lock: (act: Act, id: number) => Promise<void>;
  take: (act: Act, id: number, money: Collected) => Promise<{ flowId: number; outcome: Outcome }>;
};

const known = new Map<string, Collector>();

/** Registers a kind of record; called once, by the file that takes its money. */
export function collects(collector: Collector): void {
  known.set(collector.kind, collector);
}

export function collectorOf(kind: string): Collector {
  const found = known.get(kind);
  if (!found) throw new Error(`nobody collects for ${kind}`);
  return found;
}

/** Whoever sends money back through channels hears what became of it. */
type Listener = (act: Act, told: RefundTold) => Promise<void>;
const listeners: Listener[] = [];

/** Registers who books refunds; called once, by the file that does. */
export const hearsOfRefunds = (listener: Listener): void => void listeners.push(listener);

export async function refundTold(act: Act, told: RefundTold): Promise<void> {
  for (const listener of listeners) await listener(act, told);
}
