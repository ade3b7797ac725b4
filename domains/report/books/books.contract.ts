import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { entryShown } from "../../finance/journal/entry.contract.ts";
import { EVENTS, type EventCode } from "../../finance/journal/journal.rules.ts";
import { ACCOUNTS, DIMENSIONS } from "./books.rules.ts";

const reports = callsAt("/report/api/v3");
const keys = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];

/** Of whom and when. Without a store: everything in scope, with head office for callers who see every store. */
const range = {
  villageIds: filter.villages(),
  head: filter.by(
    z
      .enum(["true", "false"])
      .transform((v) => v === "true")
      .optional(),
    { kind: "flag", title: "仅公司本部" },
  ),
  ...filter.between("from", "to", f.dayInput("期间").optional(), { kind: "days", title: "期间" }),
};

const line = z.object({
  key: z.string(),
  title: f.text("项目"),
  account: z.enum(keys(ACCOUNTS)).nullable(),
  /** What moved the account to this figure, where it is not all. */
  events: z.array(z.enum(keys(EVENTS))).optional(),
  now: f.money("本期"),
  before: f.money("上期"),
  year: f.money("本年累计"),
});
const period = z.object({ from: f.day("起"), to: f.day("止") });

/** 总表: money (R3), what is owed, profit (R8). */
export const financeReport = reports.get("/finance", "财务报表", "65.query", {
  query: z.object(range),
  reply: z.object({
    now: period,
    before: period,
    year: period,
    money: z.array(line),
    /** What the terms of 资金收支 do not explain, by period: nothing, unless the books are broken. */
    rest: z.object({ now: f.money("本期"), before: f.money("上期"), year: f.money("本年累计") }),
    owed: z.array(line),
    profit: z.array(line),
  }),
});
export type ReportLine = z.output<typeof line>;

const trial = {
  openDebit: f.money("期初借方"),
  openCredit: f.money("期初贷方"),
  debit: f.money("本期借方"),
  credit: f.money("本期贷方"),
  closeDebit: f.money("期末借方"),
  closeCredit: f.money("期末贷方"),
};

/** 科目余额表: every account that ever moved. */
export const trialBalance = reports.get("/trialBalance", "科目余额表", "65.query", {
  query: pageQuery("account").extend(range),
  reply: pageReply(
    z.object({ id: z.number(), account: f.text("科目编号"), name: f.text("科目"), ...trial }),
    z.object(trial),
  ),
});
export const exportTrialBalance = exportOf({
  type: "trialBalance",
  title: "科目余额表",
  needs: "65.export",
  list: trialBalance,
});

/** One account, taken apart; the largest parts, and what the others come to together. */
export const trialParts = reports.get("/trialBalance/:account", "科目余额按维度", "65.query", {
  params: z.object({ account: z.enum(keys(ACCOUNTS)) }),
  query: z.object({ ...range, by: z.enum(keys(DIMENSIONS)) }),
  reply: z.array(z.object({ id: z.number().nullable(), name: f.text("名称"), ...trial })),
});

export const EVENT_WORDS = Object.fromEntries(
  Object.entries(EVENTS).map(([code, { name }]) => [code, [`${code} ${name}`, "grey"]]),
) as unknown as Words<EventCode>;

/** What the entry moved the account by that was asked for, in the stores that were; without one nothing. */
const ofAccount = {
  accountDebit: f.money("科目借方", { help: "所选科目在所选门店的借方发生额" }).nullish(),
  accountCredit: f.money("科目贷方", { help: "所选科目在所选门店的贷方发生额" }).nullish(),
};
const entryRow = z.object({
  id: f.id,
  entryNo: f.link("凭证号"),
  date: f.day("日期"),
  businessDate: f.day("业务日期"),
  event: f.status("事件", EVENT_WORDS),
  villageNames: f.text("门店"),
  memo: f.text("摘要"),
  amount: f.money("借方合计"),
  ...ofAccount,
  sourceNo: f.link("来源"),
  billId: f.id.nullable(),
  flowId: f.id.nullable(),
  reversesNo: f.text("冲销"),
  postedBy: f.person("经办人"),
  postedAt: f.instant("记账时间"),
});
export type EntryRow = z.output<typeof entryRow>;

export const listJournal = reports.get("/journal", "凭证列表", "65.query", {
  query: pageQuery("date", "postedAt").extend({
    villageIds: filter.villages(),
    head: range.head,
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "日期", last: 31 }),
    event: filter.choices("事件", EVENT_WORDS),
    account: filter.choice("科目", ACCOUNTS),
    keyword: filter.keyword("凭证号、摘要、账单号、流水号"),
  }),
  reply: pageReply(entryRow, z.object({ amount: f.money("借方合计"), ...ofAccount })),
});
export const exportJournal = exportOf({
  type: "journal",
  title: "凭证",
  needs: "65.export",
  list: listJournal,
});

export const getEntry = reports.get("/journal/:id", "凭证详情", "65.query", {
  params: z.object({ id: z.coerce.number().pipe(f.id) }),
  reply: entryRow.extend({ entries: z.array(entryShown) }),
});

/** What of a contract does not fit together. */
export const ODD = {
  over: ["开票超额", "red"],
  deposit: ["押金不平", "red"],
} as const satisfies Words;

const threeWayRow = z.object({
  id: f.id,
  contractNo: f.link("合同号"),
  kind: z.enum(["renter", "company", "merchant"]),
  villageName: f.text("门店"),
  roomNames: f.room("房间"),
  partyName: f.person("客户"),
  billed: f.money("应收", { help: "已出账账单，含调整" }),
  received: f.money("已收", { help: "收款和预存款支付的" }),
  byDeposit: f.money("押金抵扣"),
  writtenOff: f.money("核销"),
  outstanding: f.money("欠"),
  invoiced: f.money("已开票"),
  invoiceable: f.money("可开票", { help: "已收未开票的收入类费用" }),
  uninvoicedDays: f.number("收款未开票", { unit: "天", help: "最早一笔没有开票的收款至今" }).nullable(),
  depositIn: f.money("押金收"),
  depositOut: f.money("押金退", { help: "含抵扣、转出" }),
  depositHeld: f.money("押金存"),
  marks: f.tags("异常", ODD),
});
export type ThreeWayRow = z.output<typeof threeWayRow>;

export const listThreeWay = reports.get("/threeWay", "三流合一列表", "65.query", {
  query: pageQuery("billed", "outstanding").extend({
    villageIds: filter.villages(),
    odd: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "只看异常" }),
    keyword: filter.keyword("合同号、客户、房间"),
  }),
  reply: pageReply(
    threeWayRow,
    z.object({ billed: f.money("应收"), outstanding: f.money("欠"), depositHeld: f.money("押金存") }),
  ),
});
export const exportThreeWay = exportOf({
  type: "threeWay",
  title: "三流合一",
  needs: "65.export",
  list: listThreeWay,
  personal: true,
});
