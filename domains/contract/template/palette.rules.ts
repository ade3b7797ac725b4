/** What a template can name, in the groups in which the editor offers it. A name is its own key: the text reads as it is written. */
export const TEXT_FIELDS = {
  合同: [
    "合同编号",
    "签约日期",
    "起租日",
    "到期日",
    "租期",
    "付款方式",
    "月租金",
    "月租金大写",
    "押金",
    "押金大写",
    "签约应收",
    "签约应收大写",
    "合同总额",
    "合同总额大写",
    "补充约定",
  ],
  房间: ["门店", "门店地址", "房间", "房间数", "用途"],
  客户: [
    "客户名称",
    "客户证件",
    "客户电话",
    "监护人",
    "客户信用代码",
    "法定代表人",
    "客户联系人",
    "客户地址",
  ],
  企业: ["企业名称", "企业信用代码", "企业地址", "企业电话"],
  费用: ["每月费用合计", "每月费用合计大写"],
} as const;

/** Sentences that the terms of the contract make: one paragraph each. */
export const CLAUSE_FIELDS = ["租赁条款", "租金条款", "押金条款", "费用条款", "违约条款"] as const;
export const SIGN_FIELDS = ["客户签字", "企业印章", "骑缝章"] as const;
export const TABLE_FIELDS = ["账单表", "费用表", "房间表", "入住人表"] as const;

/** Of each condition what it says; a block under it is printed only then. */
export const CONDITIONS = {
  有免租: "约定了免租期",
  有递增: "租金在租期内调整",
  有押金: "收取押金",
  无押金: "不收押金",
  有费用: "约定了租金以外的费用",
  无费用: "没有约定其他费用",
  有同住人: "登记了入住人",
  多个房间: "租用两间以上",
  有监护人: "承租人有监护人",
  有补充约定: "填写了补充约定",
  按营业额: "租金按营业额计算",
} as const;

export type TextField = (typeof TEXT_FIELDS)[keyof typeof TEXT_FIELDS][number];
export type ClauseField = (typeof CLAUSE_FIELDS)[number];
export type SignField = (typeof SIGN_FIELDS)[number];
export type TableField = (typeof TABLE_FIELDS)[number];
export type Condition = keyof typeof CONDITIONS;

const TEXTS: ReadonlySet<string> = new Set(Object.values(TEXT_FIELDS).flat());
const among =
  <T extends string>(names: readonly T[]) =>
  (name: string): name is T =>
    (names as readonly string[]).includes(name);

export const isText = (name: string): name is TextField => TEXTS.has(name);
export const isClause = among(CLAUSE_FIELDS);
export const isSign = among(SIGN_FIELDS);
export const isTable = among(TABLE_FIELDS);
export const isCondition = (name: string): name is Condition => name in CONDITIONS;

/** A gap in the line above or below every page: {合同编号}. */
const GAP = /\{([^{}]{1,20})\}/g;
export const gapsIn = (line: string): string[] => [...line.matchAll(GAP)].map((m) => m[1]!);
export const filledLine = (line: string, texts: Readonly<Record<TextField, string>>): string =>
  line.replace(GAP, (gap, name: string) => (isText(name) ? texts[name] : gap));
