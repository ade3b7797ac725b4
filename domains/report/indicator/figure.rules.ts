import type { Day } from "../../../platform/kernel/day.ts";
import type { Need } from "../../../platform/kernel/call.ts";
import { AMOUNT_MAX, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** How a figure is written, and whether more of it is better. */
type Indicator = {
  title: string;
  kind: "rate" | "money" | "count";
  better: "more" | "less";
  /** Over stores and months its values are added up; else it is a quotient of sums. */
  adds: boolean;
  formula: string;
  /** The records it is read from. */
  source: string;
};

export const INDICATORS = {
  occupancyRate: {
    title: "出租率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "期间内每日在租间数之和 ÷ 每日可租间数之和；维修、停用、自用的房间不计入可租",
    source: "每日房态汇总，当天为实时房态",
  },
  avgRent: {
    title: "平均租金",
    kind: "money",
    better: "more",
    adds: false,
    formula: "期末在租房间的月租金合计 ÷ 在租间数",
    source: "在租合同",
  },
  incomeAccrued: {
    title: "权责收入",
    kind: "money",
    better: "more",
    adds: true,
    formula:
      "已出账收入按计费期逐日分摊到期间内截至日的金额，含税，不含押金、代收和滞纳金；一次性费用计入出账日，已锁账月份的更正计入之后的月份；每分钟汇总",
    source: "账单计费期",
  },
  billed: {
    title: "应收",
    kind: "money",
    better: "more",
    adds: true,
    formula: "应收日在期间内、已出账且未作废的账单金额，含调整",
    source: "账单",
  },
  collected: {
    title: "实收",
    kind: "money",
    better: "more",
    adds: true,
    formula: "期间内到账的收款，减去当日冲销，与日收款报表一致",
    source: "收款流水",
  },
  collectionRate: {
    title: "收缴率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "应收日在期间内的账单截至日已收 ÷ 这些账单的应收",
    source: "账单与核销",
  },
  arrears: {
    title: "欠费余额",
    kind: "money",
    better: "less",
    adds: false,
    formula: "截至日逾期未收的金额，与欠费报表合计一致",
    source: "账单与核销",
  },
  renewalRate: {
    title: "续租率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "期间内到期的合同中截至日已签续租的份数 ÷ 期间内到期的份数",
    source: "合同",
  },
} as const satisfies Record<string, Indicator>;

export type Code = keyof typeof INDICATORS;

export const CODES = Object.keys(INDICATORS) as [Code, ...Code[]];
export const CODE_WORDS = Object.fromEntries(
  CODES.map((code) => [code, [INDICATORS[code].title, "grey"]]),
) as unknown as Words<Code>;

export const BOARD = "/configuration/apartment";

export const BOOKING = "/configuration/BookingManagement";

export const RENTERS = "/contract/RenterContractPage";

type FigureKind = "money" | "count" | "rate";

type Figure = {
  title: string;
  kind: FigureKind;
  need: Need;
  help: string;
  /** The page that has the records behind it, where one has all, and its filter of that day. */
  path?: string;
  query?: (day: Day) => Record<string, string>;
};

/** Figures of a day, each with its formula in words. */
export const FIGURES = {
  collected: {
    title: "今日实收",
    kind: "money",
    need: ["99.query", "102.query"],
    path: "/report/dailyCollectionReport",
    query: (day) => ({ from: day, to: day }),
    help: "今日确认的收款减今日冲销，退款不计；与日收款报表合计一致",
  },
  newContracts: {
    title: "今日新签",
    kind: "count",
    need: ["9.query", "11.query", "107.query"],
    query: (day) => ({ signedFrom: day, signedTo: day, source: "new", voided: "false" }),
    help: "今日签署的新合同份数，续租、换房、期初导入和已作废的不计",
  },
  movedIn: {
    title: "今日入住",
    kind: "count",
    need: ["9.query", "11.query", "107.query"],
    help: "今日办理交房入住的合同份数",
  },
  occupancyRate: {
    title: "今日出租率",
    kind: "rate",
    need: ["3.query", "79.query"],
    path: BOARD,
    query: () => ({ villageId: "0" }),
    help: "在租间数 ÷ 可租间数；维修、停用、自用的房间不计入可租",
  },
  vacant: {
    title: "空置间数",
    kind: "count",
    need: ["3.query", "79.query"],
    path: BOARD,
    query: () => ({ empty: "1" }),
    help: "可租间数减在租间数，已预订和待入住在租约开始前计为空置",
  },
  arrears: {
    title: "欠费余额",
    kind: "money",
    need: ["114.query", "26.query"],
    path: "/report/owingReport",
    help: "已出账、应收日已过仍未收的金额；与欠费报表合计一致",
  },
  newLeads: {
    title: "今日新增客源",
    kind: "count",
    need: "15.query",
    path: BOOKING,
    query: (day) => ({ tab: "all", createdFrom: day, createdTo: day }),
    help: "今日登记的客源数；没有查看全部客源的权限时只计自己的和公海的",
  },
} as const satisfies Record<string, Figure>;

export type FigureKey = keyof typeof FIGURES;

export const FIGURE_KEYS = Object.keys(FIGURES) as [FigureKey, ...FigureKey[]];

export const figureOf = (key: FigureKey): Figure => FIGURES[key];

/** The sentence against a value, or nothing. Values are fen, shares of one, or whole numbers. */
export function valueRefusal(code: Code, value: number): string | undefined {
  switch (INDICATORS[code].kind) {
    case "rate":
      return value >= 0 && value <= 1 && Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6
        ? undefined
        : "请输入0到100之间的数";
    case "money":
      if (value > AMOUNT_MAX) return "金额过大";
      return Number.isInteger(value) && value >= 0 ? undefined : "金额格式不正确，最多两位小数";
  }
}

/** What somebody typed or pasted: 96, 96%, 294,000.00; empty takes the target away. */
export function typedValue(code: Code, typed: string): { value: number | null } | { msg: string } {
  const text = typed.trim().replace(/%$/, "").replaceAll(",", "");
  if (!text) return { value: null };
  const rate = INDICATORS[code].kind === "rate";
  const wrong = rate ? "请输入0到100之间的数" : "金额格式不正确，最多两位小数";
  if (!/^\d+(\.\d{1,2})?$/.test(text)) return { msg: wrong };
  // two decimals of a percent, or of a yuan, are whole hundredths
  const hundredths = Math.round(Number(text) * 100);
  const value = rate ? hundredths / 10_000 : hundredths;
  const msg = valueRefusal(code, value);
  return msg ? { msg } : { value };
}

/** 96.00%, 294,000.00. */
export const shownValue = (code: Code, value: number | null): string =>
  value === null ? "" : INDICATORS[code].kind === "rate" ? `${(value * 100).toFixed(2)}%` : yuan(value);

/** The same as it is typed. */
export const typeableValue = (code: Code, value: number | null): string =>
  value === null
    ? ""
    : INDICATORS[code].kind === "rate"
      ? String(Math.round(value * 10_000) / 100)
      : yuan(value, false);
