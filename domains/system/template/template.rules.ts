import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** By which way something reaches a customer. */
export const CHANNELS = greys({ inApp: "站内", sms: "短信", email: "邮件" });
export type Channel = keyof typeof CHANNELS;

/** What a text is written for. One that fits any occasion is also what staff send by hand. */
export const TEMPLATE_EVENTS = greys({
  any: "通用",
  billDue: "账单待付",
  overdue: "账单逾期",
  contractEnd: "合同到期",
  reservationEnd: "预订到期",
});
export type TemplateEvent = keyof typeof TEMPLATE_EVENTS;

/** What any text may leave open: {姓名} stands for the receiver's name. */
export const VARIABLES = ["姓名", "门店", "房间", "到期日", "欠费", "品牌"] as const;

/** What only a text about this may leave open. */
const OF_EVENT = {
  any: [],
  billDue: ["账单数", "应付金额", "应收日"],
  overdue: ["账单数", "应付金额", "应收日", "逾期天数"],
  contractEnd: ["合同编号", "剩余天数"],
  reservationEnd: ["预订编号", "剩余天数"],
} as const;
export type Variable = (typeof VARIABLES)[number] | (typeof OF_EVENT)[TemplateEvent][number];

export const variablesOf = (event: TemplateEvent = "any"): readonly string[] => [
  ...VARIABLES,
  ...OF_EVENT[event],
];

/** "{姓名} {门店} …", for the help below a text. */
export const variablesText = (event?: TemplateEvent): string =>
  variablesOf(event)
    .map((name) => `{${name}}`)
    .join(" ");

const GAP = /\{([^{}]{1,20})\}/g;

/** The first gap that nothing is known for, as the sentence that refuses it. */
export function unknownVariable(text: string, event?: TemplateEvent): string | undefined {
  for (const [gap, name] of text.matchAll(GAP))
    if (!variablesOf(event).includes(name!)) return `未知变量：${gap}`;
  return undefined;
}

/** The text as one receiver reads it. */
export const filled = (text: string, values: Partial<Record<Variable, string>>): string =>
  text.replace(GAP, (gap, name: string) => values[name as Variable] ?? gap);

/** How a text begins, beside its name where one is picked. */
export const beginning = (text: string): string => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

/** A text message holds so many characters; of a longer one each part holds fewer, because the parts are numbered. */
const ONE = 70;
const EACH = 67;

/** In how many text messages a text goes, the signature before it included. */
export const smsParts = (text: string, signature: string): number => {
  const { length } = `【${signature}】${text}`;
  return length <= ONE ? 1 : Math.ceil(length / EACH);
};

export const TEMPLATE_STATE = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;
