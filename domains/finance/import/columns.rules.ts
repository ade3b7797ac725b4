import { addDays, BUSINESS_DAYS, contains, isDay, yearsOf, type Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, parseYuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";

/** What a row of the spreadsheet says. */
export type Typed = {
  village: string;
  place: string;
  party: string;
  subject: string;
  from: Day;
  to: Day;
  dueDate: Day;
  amount: Fen;
  remark: string;
};
export type Field = keyof Typed;

type BillColumn = ImportColumn<Field> & { example: string };

export const COLUMNS: readonly BillColumn[] = [
  { title: "门店", key: "village", must: true, note: "门店名称或简称", example: "滨江店" },
  {
    title: "房间或合同号",
    key: "place",
    must: true,
    note: "房间如 3栋·1203（门店内唯一时可只写 1203），或合同号 HT…",
    example: "3栋·1203",
  },
  {
    title: "客户",
    key: "party",
    must: true,
    note: "客户姓名或企业名称，须已登记在该门店",
    example: "张雅婷",
  },
  { title: "费用科目", key: "subject", must: true, note: "如 租金、物业费、电费", example: "电费" },
  { title: "计费期起", key: "from", must: true, note: "2026-03-01", example: "2026-03-01" },
  { title: "计费期止", key: "to", must: true, note: "2026-03-31，不早于计费期起", example: "2026-03-31" },
  { title: "应收日", key: "dueDate", must: true, note: "2026-03-05", example: "2026-04-05" },
  {
    title: "金额",
    key: "amount",
    must: true,
    number: true,
    note: "元，最多两位小数，大于0",
    example: "126.50",
  },
  { title: "备注", key: "remark", note: "最多200字", example: "" },
];

const AMOUNT = "请输入正确的金额（最多两位小数）";

/** 2026/3/1, 2026年3月1日 and the 46082 of a cell that shows its day as text: 2026-03-01. */
const dayOf = (text: string): string =>
  /^[3-6]\d{4}$/.test(text) ? addDays("1899-12-30", Number(text)) : written(text);
const written = (text: string): string =>
  text
    .replace(/[ T]\d{1,2}:.*$/, "")
    .replace(/[/.年月]/g, "-")
    .replace(/日$/, "")
    .replace(/-(\d)(?=-|$)/g, "-0$1");

function amountOf(typed: string): { value: Fen } | { msg: string } {
  const text = typed.replace(/[,，￥¥元\s]/g, "");
  if (!/^-?\d+(\.\d{1,2})?0*$/.test(text)) return { msg: AMOUNT };
  const fen = parseYuan(text.replace(/(\.\d{2})0+$/, "$1"));
  if (fen <= 0) return { msg: "金额必须大于0" };
  return fen > AMOUNT_MAX ? { msg: "金额过大" } : { value: fen };
}

/** What stands in a cell as the field wants it, or the sentence against it. */
export function valueOf(column: BillColumn, text: string): { value: string | Fen } | { msg: string } {
  if (!text) return column.must ? { msg: `请填写${column.title}` } : { value: "" };
  switch (column.key) {
    case "from":
    case "to":
    case "dueDate": {
      const day = dayOf(text);
      if (!isDay(day)) return { msg: `${column.title}格式不正确，应如 2026-03-01` };
      return contains(BUSINESS_DAYS, day)
        ? { value: day }
        : { msg: `${column.title}须在${yearsOf(BUSINESS_DAYS)}之间` };
    }
    case "amount":
      return amountOf(text);
    case "remark":
      return text.length > 200 ? { msg: "备注最多200字" } : { value: text };
    default:
      return text.length > 100 ? { msg: `${column.title}最多100字` } : { value: text };
  }
}
