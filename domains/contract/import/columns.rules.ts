import { CERT_TYPES } from "../../customer/renter/words.rules.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export type ColumnKey =
  | "village"
  | "room"
  | "name"
  | "phone"
  | "certType"
  | "certNo"
  | "start"
  | "end"
  | "signedOn"
  | "rent"
  | "pay"
  | "property"
  | "basis"
  | "periods"
  | "due"
  | "paidTo"
  | "deposit"
  | "arrears"
  | "arrearsDue"
  | "prepaid"
  | "oldNo"
  | "remark";

export type Column = {
  key: ColumnKey;
  title: string;
  required?: true;
  /** Said as a comment on the head of the column and on the sheet 说明. */
  hint: string;
  width: number;
  kind?: "text" | "day" | "money";
  /** Fixed choices for a drop-down. */
  words?: readonly string[];
};

export const BASIS_CHOICES = { 按实际天数: "actual", 每月30天: "30", 每年365天: "365" } as const;
export const PERIOD_CHOICES = { 按起租日: false, 按自然月: true } as const;
export const PAY_CHOICES = ["押一付一", "押一付三", "押二付一", "押一半年付", "押一年付", "押一一次性付清"];
export const DUE_CHOICES = ["提前7天", "提前0天", "每月1日", "每月5日", "上月25日"];
export const certTitles = (words: Words): string[] => Object.values(words).map(([title]) => title);

/** The columns of the sheet, in its order. */
export const COLUMNS: readonly Column[] = [
  { key: "village", title: "门店", required: true, hint: "门店名称、简称或编码", width: 14 },
  {
    key: "room",
    title: "房间",
    required: true,
    hint: "房间全名，或楼栋·单元·门牌-房间名，如 3栋·1单元·1203-A；门牌在门店内不重复时可只填门牌",
    width: 22,
    kind: "text",
  },
  { key: "name", title: "租客", required: true, hint: "姓名，2到30个字", width: 10 },
  { key: "phone", title: "手机", required: true, hint: "11位手机号", width: 14, kind: "text" },
  { key: "certType", title: "证件类型", hint: "不填为身份证", width: 12, words: certTitles(CERT_TYPES) },
  { key: "certNo", title: "证件号", hint: "已登记的租客按证件号，或手机加姓名找到", width: 22, kind: "text" },
  { key: "start", title: "起租日", required: true, hint: "如 2026-05-15", width: 12, kind: "day" },
  { key: "end", title: "到期日", required: true, hint: "租期最后一天，含当日", width: 12, kind: "day" },
  { key: "signedOn", title: "签约日", hint: "不填为起租日", width: 12, kind: "day" },
  { key: "rent", title: "月租金(元)", required: true, hint: "当前每月租金", width: 12, kind: "money" },
  {
    key: "pay",
    title: "付款方式",
    required: true,
    hint: "押X付Y，如 押一付三、押2付1、押0付1、押一半年付、押一年付、押一一次性付清",
    width: 12,
    words: PAY_CHOICES,
  },
  { key: "property", title: "月物业费(元)", hint: "随租金一起收取时填写", width: 12, kind: "money" },
  {
    key: "basis",
    title: "计费方式",
    hint: "不足整月的算法，不填按门店默认",
    width: 12,
    words: Object.keys(BASIS_CHOICES),
  },
  {
    key: "periods",
    title: "计费期",
    hint: "按起租日或按自然月，不填按门店默认",
    width: 10,
    words: Object.keys(PERIOD_CHOICES),
  },
  {
    key: "due",
    title: "应收日规则",
    hint: "提前N天、每月N日、上月N日、下月N日；不填按门店默认",
    width: 12,
    words: DUE_CHOICES,
  },
  {
    key: "paidTo",
    title: "已付至",
    hint: "租金已结清到哪一天（含当日），之后的计费期照常出账；尚未起租的合同可不填",
    width: 12,
    kind: "day",
  },
  {
    key: "deposit",
    title: "在管押金(元)",
    required: true,
    hint: "接管日实际保管的押金，没有填 0",
    width: 13,
    kind: "money",
  },
  { key: "arrears", title: "欠费(元)", hint: "已付至当日及以前尚未收到的费用", width: 12, kind: "money" },
  { key: "arrearsDue", title: "欠费应收日", hint: "不填为接管日", width: 12, kind: "day" },
  { key: "prepaid", title: "预存款(元)", hint: "租客账户中尚未使用的款项", width: 12, kind: "money" },
  { key: "oldNo", title: "合同号", hint: "原合同号，作为备查，最多40个字", width: 18, kind: "text" },
  { key: "remark", title: "备注", hint: "最多500个字", width: 20 },
];

export const SHEET = "在租合同";
/** Most rows of one file. */
export const ROWS_MAX = 5000;

/** The head in the template: what is always asked for is starred. */
export const headOf = (column: Column): string => (column.required ? `${column.title}*` : column.title);
export const SHAPE = { columns: COLUMNS, must: (column: Column) => Boolean(column.required), most: ROWS_MAX };
