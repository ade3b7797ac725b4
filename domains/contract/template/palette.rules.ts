import type { Column } from "../../system/paper/block.rules.ts";
import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { DocKind } from "./doc-kind.rules.ts";

type Names = readonly string[];

/** What a template can name, in the groups in which the editor offers it. A name is its own key: the text reads as it is written. */
export type Palette = {
  texts: Readonly<Record<string, Names>>;
  /** Sentences that the terms or the act make: one paragraph each. */
  clauses: Names;
  tables: Names;
  signs: Names;
  /** Of each condition what it says; a block under it is printed only then. */
  conditions: Readonly<Record<string, string>>;
};

/** Goes over the right edge of all pages and has no place of its own in the text. */
export const SEAM = "骑缝章";

export type Table = {
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  sums?: readonly string[];
};
export type Side = { role: string; name: string };

/** What the fields of a palette stand for in one document. */
export type ValuesOf<P extends Palette> = {
  texts: Record<P["texts"][keyof P["texts"]][number], string>;
  clauses: Record<P["clauses"][number], readonly string[]>;
  tables: Record<P["tables"][number], Table>;
  holds: Record<keyof P["conditions"] & string, boolean>;
  sides: Record<Exclude<P["signs"][number], typeof SEAM>, Side>;
  signedOn: string;
};
export type Values = ValuesOf<Palette>;

type Both<N extends string> = N | `${N}大写`;
/** Amounts, each in figures and in capitals. */
const both = <N extends string>(...names: N[]): readonly Both<N>[] =>
  names.flatMap((name): Both<N>[] => [name, `${name}大写`]);
/** The values of such amounts. */
export const inBoth = <N extends string>(sums: Readonly<Record<N, Fen>>) =>
  Object.fromEntries(
    (Object.entries(sums) as [N, Fen][]).flatMap(([name, fen]) => [
      [name, yuan(fen)],
      [`${name}大写`, chineseYuan(fen)],
    ]),
  ) as Record<Both<N>, string>;

const LEASE = ["合同编号", "签约日期", "起租日", "到期日", "租期"] as const;
const PLACE = ["门店", "门店地址", "房间", "房间数"] as const;
const PARTY = [
  "客户名称",
  "客户证件",
  "客户电话",
  "监护人",
  "客户信用代码",
  "法定代表人",
  "客户联系人",
  "客户地址",
  "开票抬头",
] as const;
const LESSOR = ["企业名称", "企业信用代码", "企业地址", "企业电话"] as const;
const SIGNED = ["客户签字", "企业印章", SEAM] as const;
const KINDS = { 个人客户: "客户是个人", 企业客户: "客户是企业或商户" } as const;

/** Of every document about a contract; its own fields stand before them. */
const OF_LEASE = {
  合同: [...LEASE, ...both("月租金", "押金")],
  房间: PLACE,
  客户: PARTY,
  企业: LESSOR,
} as const;

const CONTRACT = {
  texts: {
    合同: [...LEASE, "付款方式", ...both("月租金", "押金", "签约应收", "合同总额"), "补充约定"],
    房间: [...PLACE, "用途", "开业日"],
    客户: PARTY,
    企业: LESSOR,
    费用: both("每月费用合计"),
  },
  clauses: ["租赁条款", "租金条款", "押金条款", "费用条款", "违约条款"],
  tables: ["账单表", "费用表", "房间表", "入住人表"],
  signs: SIGNED,
  conditions: {
    有免租: "约定了免租期",
    有递增: "租金在租期内调整",
    有押金: "收取押金",
    无押金: "不收押金",
    有费用: "约定了租金以外的费用",
    无费用: "没有约定其他费用",
    有同住人: "登记了入住人",
    多个房间: "租用两间以上",
    有开业日: "商铺约定了开业日",
    有监护人: "承租人有监护人",
    有补充约定: "填写了补充约定",
    按营业额: "租金按营业额计算",
    ...KINDS,
  },
} as const satisfies Palette;

const CHANGE = ["协议编号", "生效日", "变更原因", "原合同截止日", "新合同编号", "新到期日"] as const;
/** A contract that another one takes the place of: what becomes of every sum of it. */
const SUCCEEDED = {
  clauses: ["收付条款"],
  tables: ["款项表", "账单调整表"],
  conditions: {
    有签约应付: "签约时还要付款",
    有应退: "有款项退还",
    有账单调整: "原合同的账单有调整",
    ...KINDS,
  },
} as const;
const MOVED = both(
  "原月租金",
  "新月租金",
  "在管押金",
  "转入押金",
  "退还押金",
  "补交押金",
  "未用款项",
  "抵扣款项",
  "手续费",
  "原合同欠费",
  "签约应付",
  "应退金额",
);

export const PALETTES = {
  renterContract: CONTRACT,
  companyContract: CONTRACT,
  merchantContract: CONTRACT,
  renewal: {
    ...CONTRACT,
    texts: {
      ...CONTRACT.texts,
      续租: ["原合同编号", "原起租日", "原到期日", ...both("原月租金", "转入押金")],
    },
    conditions: { ...CONTRACT.conditions, 有转入押金: "原合同的押金转入" },
  },
  supplement: {
    texts: {
      变更: [
        "协议编号",
        "变更类型",
        "生效日",
        "变更原因",
        ...both("原应收合计", "变更后合计", "多付抵付", "签后应付", "应退押金"),
      ],
      ...OF_LEASE,
    },
    clauses: ["变更条款"],
    tables: ["账单变化表"],
    signs: SIGNED,
    conditions: {
      有账单变化: "账单有变化",
      有多付: "已付的款项有多付",
      有签后应付: "签署后应付款",
      有应退押金: "应退还押金",
      ...KINDS,
    },
  },
  changeRoom: {
    ...SUCCEEDED,
    texts: { 换房: [...CHANGE, "新房间"], 款项: MOVED, ...OF_LEASE },
    signs: SIGNED,
  },
  changeTenant: {
    ...SUCCEEDED,
    texts: { 转租: [...CHANGE, "新客户名称"], 款项: MOVED, ...OF_LEASE },
    signs: ["客户签字", "新客户签字", "企业印章", SEAM],
  },
  settlementSheet: {
    texts: { 结算: ["结算单号", "退房日", "退房类型", ...both("结算金额")], ...OF_LEASE },
    clauses: ["结算结果"],
    tables: ["结算明细表"],
    signs: SIGNED,
    conditions: { 应退还: "应退还客户", 应补付: "客户应补付", 互不相欠: "没有收付", ...KINDS },
  },
  handoverSheet: {
    texts: {
      交接: ["交接单号", "交接类型", "交接日", "交接房间", "钥匙数", "门卡数", "经办人", "备注"],
      ...OF_LEASE,
    },
    clauses: [],
    tables: ["读数表", "物品清单"],
    signs: SIGNED,
    conditions: { 有读数: "登记了表计读数", 有物品: "登记了物品", 有备注: "填写了备注", ...KINDS },
  },
  receipt: {
    texts: {
      收款: [
        "收据编号",
        "收款日期",
        "收款方式",
        "付款人",
        "经办人",
        "备注",
        ...both("收款金额", "转入预存款"),
      ],
      合同: ["合同编号"],
      房间: ["门店", "门店地址", "房间"],
      客户: ["客户名称", "客户电话"],
      企业: LESSOR,
    },
    clauses: [],
    tables: ["收款明细表"],
    signs: ["企业印章", "客户签字"],
    conditions: { 有转入预存款: "有款项转入预存款", 有备注: "填写了备注" },
  },
  dunningLetter: {
    texts: {
      催缴: [
        "函件日期",
        "欠费笔数",
        "最早应收日",
        "最长逾期天数",
        ...both("欠费合计", "滞纳金合计", "应付合计"),
        "付款账户",
      ],
      ...OF_LEASE,
    },
    clauses: [],
    tables: ["欠费表"],
    signs: ["企业印章"],
    conditions: { 有滞纳金: "已产生滞纳金", 有付款账户: "门店有可转账的账户", ...KINDS },
  },
  lendSlip: {
    texts: {
      借阅: ["借阅人", "用途", "借出日", "应还日"],
      档案: ["档案号", "文件", "库位", "份数"],
      合同: ["合同编号"],
      房间: ["门店", "房间"],
      客户: ["客户名称"],
      企业: ["企业名称"],
    },
    clauses: [],
    tables: [],
    signs: ["借阅人签字", "经办人签字"],
    conditions: {},
  },
} as const satisfies Record<DocKind, Palette>;

export const paletteOf = (docKind: DocKind): Palette => PALETTES[docKind];
/** The values that a kind of document has. */
export type ValuesFor<K extends DocKind> = ValuesOf<(typeof PALETTES)[K]>;

export const isTextOf = ({ texts }: Palette, name: string): boolean =>
  Object.values(texts).some((names) => names.includes(name));

/** A gap in the line above or below every page: {合同编号}. */
const GAP = /\{([^{}]{1,20})\}/g;
export const gapsIn = (line: string): string[] => [...line.matchAll(GAP)].map((m) => m[1]!);
export const filledLine = (line: string, texts: Values["texts"]): string =>
  line.replace(GAP, (gap, name: string) => (Object.hasOwn(texts, name) ? texts[name]! : gap));
