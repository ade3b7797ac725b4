import type { Words } from "../../../platform/kernel/field.ts";

/** By which way something reaches a customer. */
export const CHANNELS = {
  inApp: ["站内", "blue"],
  sms: ["短信", "gold"],
  email: ["邮件", "purple"],
} as const satisfies Words;
export type Channel = keyof typeof CHANNELS;

/** What a text may leave open: {姓名} stands for the receiver's name. */
export const VARIABLES = ["姓名", "门店", "房间", "到期日", "欠费", "品牌"] as const;
export type Variable = (typeof VARIABLES)[number];

const GAP = /\{([^{}]{1,20})\}/g;

/** The first gap that nothing is known for, as the sentence that refuses it. */
export function unknownVariable(text: string): string | undefined {
  for (const [gap, name] of text.matchAll(GAP))
    if (!(VARIABLES as readonly string[]).includes(name!)) return `未知变量：${gap}`;
  return undefined;
}

/** The text as one receiver reads it. */
export const filled = (text: string, values: Partial<Record<Variable, string>>): string =>
  text.replace(GAP, (gap, name: string) => values[name as Variable] ?? gap);

/** A text message holds so many characters; of a longer one each part holds fewer, because the parts are numbered. */
const ONE = 70;
const EACH = 67;

/** In how many text messages a text goes, the signature before it included. */
export const smsParts = (text: string, signature: string): number => {
  const { length } = `【${signature}】${text}`;
  return length <= ONE ? 1 : Math.ceil(length / EACH);
};

export const TEMPLATE_STATE = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;
