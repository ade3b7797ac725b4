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
