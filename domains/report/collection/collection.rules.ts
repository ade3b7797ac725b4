import type { Day } from "../../../platform/kernel/day.ts";

export const CHANNEL_COLUMNS = [
  "wechat",
  "alipay",
  "unionpay",
  "pos",
  "cash",
  "bankTransfer",
  "corporate",
] as const;
export type Figures = Record<
  (typeof CHANNEL_COLUMNS)[number] | "total" | "flows" | "reversed" | "fee" | "net" | "refund",
  number
>;
type Row = { day: Day; channel: string; amount: number; reversed: number; fee: number; flows: number };

const nothing = (): Figures => ({
  ...(Object.fromEntries(CHANNEL_COLUMNS.map((c) => [c, 0])) as Record<
    (typeof CHANNEL_COLUMNS)[number],
    number
  >),
  total: 0,
  flows: 0,
  reversed: 0,
  fee: 0,
  net: 0,
  refund: 0,
});

/** Lays rows of one kind (a day, a village) into one line of channel columns. Amounts in fen. */
export function lineOf(rows: readonly Row[], refund: number): Figures {
  const line = nothing();
  for (const row of rows) {
    line[row.channel as (typeof CHANNEL_COLUMNS)[number]] += row.amount;
    line.total += row.amount;
    line.flows += row.flows;
    line.reversed += row.reversed;
    line.fee += row.fee;
  }
  line.net = line.total - line.fee;
  line.refund = refund;
  return line;
}
