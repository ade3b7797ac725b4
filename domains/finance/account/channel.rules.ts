import type { Words } from "../../../platform/kernel/field.ts";

export const CHANNELS = {
  wechat: ["微信", "grey"],
  alipay: ["支付宝", "grey"],
  unionpay: ["银联", "grey"],
  pos: ["POS", "grey"],
  cash: ["现金", "grey"],
  bankTransfer: ["银行转账", "grey"],
  corporate: ["对公认领", "grey"],
  till: ["内置收银", "grey"],
} as const satisfies Words;
export type Channel = keyof typeof CHANNELS;

/** Channels a person can book by hand; corporate transfers are claimed. */
export const COUNTER_CHANNEL = {
  wechat: CHANNELS.wechat,
  alipay: CHANNELS.alipay,
  unionpay: CHANNELS.unionpay,
  pos: CHANNELS.pos,
  cash: CHANNELS.cash,
  bankTransfer: CHANNELS.bankTransfer,
} as const satisfies Words;
export type CounterChannel = keyof typeof COUNTER_CHANNEL;
/** Those and 内置收银, through which nobody books by hand: its money comes by a code alone. */
export const PAY_CHANNEL = { ...COUNTER_CHANNEL, till: CHANNELS.till } as const satisfies Words;
export type PayChannel = keyof typeof PAY_CHANNEL;
/** Channels whose payments carry a number of their own. */
export const NUMBERED: readonly Channel[] = ["wechat", "alipay", "unionpay", "pos"];

export type AccountKind = "wechat" | "alipay" | "unionpay" | "pos" | "bank" | "cash" | "till";
export const accountKindOf = (channel: PayChannel): AccountKind =>
  channel === "bankTransfer" ? "bank" : channel;
/** The ledger account in which the money of a receiving account stands. */
export const bookOf = (kind: AccountKind): string =>
  kind === "cash" ? "1001" : kind === "bank" ? "1002" : "1012";

export type Purse = { kind: AccountKind; holderVillageId: number | null };

/** Where somebody pays. */
export type Terminal = "counter" | "miniProgram" | "h5" | "app" | "pos";
export const TERMINAL: Words<Terminal> = {
  counter: ["收银台", "grey"],
  miniProgram: ["小程序", "grey"],
  h5: ["H5", "grey"],
  app: ["App", "grey"],
  pos: ["POS机", "grey"],
};
export const TERMINALS = Object.keys(TERMINAL) as Terminal[];

/** What the money is for. The account of one purpose goes before the account of all. */
export type Purpose = "all" | "rent" | "deposit";
export const PURPOSE: Words<Purpose> = {
  all: ["全部", "grey"],
  rent: ["租金类", "grey"],
  deposit: ["押金", "grey"],
};
export const PURPOSES = Object.keys(PURPOSE) as Purpose[];

/** What each terminal can take. */
export const PAY_TYPES: Record<Terminal, readonly PayChannel[]> = {
  counter: ["wechat", "alipay", "unionpay", "pos", "cash", "bankTransfer"],
  miniProgram: ["wechat", "alipay"],
  h5: ["wechat", "alipay", "unionpay", "till"],
  app: ["wechat", "alipay", "unionpay"],
  pos: ["pos", "wechat", "alipay", "unionpay"],
};

/** Every terminal with its pay types, and the kinds of account each of them accepts. */
export const terminalTable = () =>
  TERMINALS.map((terminal) => ({
    terminal,
    title: TERMINAL[terminal][0],
    payTypes: PAY_TYPES[terminal].map((payType) => ({
      payType,
      title: PAY_CHANNEL[payType][0],
      kinds: [accountKindOf(payType)] as AccountKind[],
    })),
  }));

/** "收银台·微信", and the purpose where it is not everything. */
export const placeText = (at: { terminal: Terminal; payType: PayChannel; purpose?: Purpose }): string =>
  [
    TERMINAL[at.terminal][0],
    PAY_CHANNEL[at.payType][0],
    ...(at.purpose && at.purpose !== "all" ? [PURPOSE[at.purpose][0]] : []),
  ].join("·");

/** The sentence under the field of a place that cannot be, or nothing. */
export const misplaced = (terminal: Terminal, payType: PayChannel): string | undefined =>
  PAY_TYPES[terminal].includes(payType)
    ? undefined
    : `${TERMINAL[terminal][0]}不支持${PAY_CHANNEL[payType][0]}`;

type Usable = { kind: AccountKind; enabled: boolean };
/** Why a place cannot be given this account, or nothing. */
export const unfit = (payType: PayChannel, account: Usable): string | undefined =>
  account.kind !== accountKindOf(payType)
    ? `账户类型与支付方式“${PAY_CHANNEL[payType][0]}”不符`
    : account.enabled
      ? undefined
      : "该账户已停用";
