import { CHANNELS, type Channel } from "../../finance/account/channel.rules.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";

/** Order of the columns, of the picture and of the printed sheet. */
export const CHANNEL_COLUMNS = Object.keys(CHANNELS) as Channel[];

export type Figures = Record<Channel | "total" | "flows" | "reversed" | "fee" | "net" | "refund", Fen>;
export type Collected = { channel: Channel; amount: Fen; reversed: Fen; fee: Fen; flows: number };

/** Rows of one kind (a day, a village, the whole) as one line of channel columns. Amounts in fen. */
export function lineOf(rows: readonly Collected[], refund: Fen): Figures {
  const sum = (key: "amount" | "reversed" | "fee" | "flows", channel?: Channel) =>
    rows.reduce((all, row) => all + (!channel || row.channel === channel ? row[key] : 0), 0);
  const channels = CHANNEL_COLUMNS.map((channel) => [channel, sum("amount", channel)] as const);
  const [total, fee] = [sum("amount"), sum("fee")];
  return {
    ...(Object.fromEntries(channels) as Record<Channel, Fen>),
    total,
    flows: sum("flows"),
    reversed: sum("reversed"),
    fee,
    net: total - fee,
    refund,
  };
}

/** 20260308: a row of the report is a day, and rows are told apart by a number. */
export const idOfDay = (day: Day): number => Number(day.replaceAll("-", ""));

/** What a sheet or picture that shows only some of many says of the others; nothing where it shows all. */
export const leftOut = (total: number, shown: number, which: string, unit: string): string | undefined =>
  total > shown ? `共 ${total} ${unit}，此处列${which} ${shown} ${unit}，全部请导出。` : undefined;
