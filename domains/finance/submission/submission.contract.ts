import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import {
  ITEM,
  SETTLE_WAY,
  SUBMISSION_KIND,
  SUBMISSION_STATE,
  TAB_KEYS,
  TABS,
  type ItemKind,
} from "./submission.rules.ts";

const submissions = callsAt("/billing/api/v3/submission", "submission");
const day = f.dayInput("日期").optional();
const anId = z.coerce.number().pipe(f.id);

const takings = {
  villageIds: filter.villages(),
  kind: filter.choices("类型", SUBMISSION_KIND),
  ...filter.between("from", "to", day, { kind: "days", title: "归属日" }),
};
export const submissionFilter = {
  ...takings,
  ...filter.between("submittedFrom", "submittedTo", day, { kind: "days", title: "缴款日期" }),
  keyword: filter.keyword("缴款单号、凭条号"),
};

export const submissionRow = z.object({
  id: f.id,
  submissionNo: f.link("缴款单号"),
  villageId: f.id,
  villageName: f.text("门店"),
  kind: f.status("类型", SUBMISSION_KIND),
  bankDay: f.day("归属日"),
  flows: f.number("流水笔数", { unit: "笔" }),
  expected: f.money("应缴"),
  submitted: f.money("实缴"),
  received: f.money("到账").nullable(),
  diff: f.money("差额", { help: "到账减实缴：短款为负，长款为正" }).nullable(),
  kept: f.money("留存", { help: "应缴减实缴，留在现金箱里" }),
  bankLineId: f.id.nullable(),
  lineText: f.link("银行流水").nullable(),
  slips: f.number("凭条", { unit: "张" }),
  slipNo: f.text("凭条号"),
  state: f.status("状态", SUBMISSION_STATE),
  fromAccountId: f.id,
  fromAccountName: f.text("缴出账户"),
  toAccountId: f.id,
  toAccountName: f.text("转入账户"),
  /** The money comes through the lines of a claim-mode account: it is matched, not confirmed by hand. */
  claimed: z.boolean(),
  createdBy: f.id.nullable(),
  creator: f.person("缴款人"),
  createdAt: f.instant("缴款时间"),
  lateDays: f.number("超期天数", { unit: "天", help: "现金须在归属日后的工作日18:00前缴出" }),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: f.version,
});
export type SubmissionRow = z.output<typeof submissionRow>;

const sums = z.object({
  expected: f.money("应缴"),
  submitted: f.money("实缴"),
  received: f.money("到账"),
  diff: f.money("差额"),
});

export const listSubmissions = submissions.get("", "缴款列表", "112.query", {
  query: pageQuery("createdAt", "bankDay", "submitted").extend({
    ...submissionFilter,
    tab: filter.tab(z.enum(TAB_KEYS).optional(), TABS),
  }),
  reply: pageReply(submissionRow, sums),
});

export const countSubmissions = submissions.get("/count", "缴款各状态笔数", "112.query", {
  query: z.object(submissionFilter),
  reply: z.record(z.string(), z.number()),
});

export const exportSubmissions = exportOf({
  type: "submission",
  title: "缴款管理",
  needs: "112.export",
  list: listSubmissions,
});

/** Takings that nobody has handed over: by store, account and day. */
export const pendingTakings = submissions.get("/pending", "未缴款列表", "112.query", {
  query: pageQuery("bankDay", "amount").extend(takings),
  reply: pageReply(
    z.object({
      id: f.id,
      villageId: f.id,
      villageName: f.text("门店"),
      kind: f.status("类型", SUBMISSION_KIND),
      merchantAccountId: f.id,
      accountName: f.text("账户"),
      bankDay: f.day("归属日"),
      flows: f.number("流水笔数", { unit: "笔" }),
      amount: f.money("应缴"),
      kept: f.money("其中留存", { help: "以前缴款时留在现金箱里的" }),
      repaid: f.money("其中补缴", { help: "短款后门店补到现金箱里的" }),
      dueAt: f.instant("最迟缴款").nullable(),
      lateDays: f.number("超期天数", { unit: "天" }),
    }),
    z.object({ amount: f.money("应缴"), kept: f.money("其中留存"), repaid: f.money("其中补缴") }),
  ),
});

export const exportPending = exportOf({
  type: "submissionPending",
  title: "未缴款",
  needs: "112.export",
  list: pendingTakings,
});

/** Accounts of a store whose takings are handed over, and the bank accounts that they can go to. */
export const submissionAccounts = submissions.get("/accounts", "缴款账户选项", "112.add", {
  query: z.object({ villageId: anId }),
  reply: z.object({
    from: z.array(
      z.object({
        id: f.id,
        name: f.text("账户"),
        kind: f.status("类型", SUBMISSION_KIND),
        usual: f.id.nullable(),
      }),
    ),
    to: z.array(z.object({ id: f.id, name: f.text("账户"), claimed: f.flag("对公入账") })),
  }),
});

const item = z.object({
  what: f.status("来源", ITEM),
  /** The flow, or the submission that had kept it or was short of it. */
  ref: f.id,
  number: f.link("单号"),
  day: f.day("日期"),
  partyName: f.person("客户"),
  amount: f.money("应缴"),
});

const asked = {
  villageId: f.pick("门店"),
  fromAccountId: f.pick("缴出账户"),
  bankDay: f.dayInput("归属日"),
};

/** What a submission of a day would take. */
export const takingItems = submissions.get("/items", "可缴款项", "112.add", {
  query: z.object({
    villageId: anId,
    fromAccountId: anId,
    bankDay: f.dayInput("归属日"),
    /** With everything from before that nobody has handed over. */
    andBefore: z.enum(["true", "false"]).optional(),
  }),
  reply: z.object({
    items: z.array(item),
    /** What the cash box holds; nothing for POS. */
    inBox: f.money("现金余额").nullable(),
    /** The oldest come first; there are more than can be handed over at once. */
    more: z.boolean(),
  }),
});
export const MOST_ITEMS = 2000;

export const getSubmission = submissions.get("/:id", "缴款详情", "112.get", {
  reply: submissionRow.extend({
    keptReason: f.text("留存原因"),
    remark: f.text("备注"),
    receivedOn: f.day("到账日").nullable(),
    receivedAt: f.instant("到账确认时间").nullable(),
    receiver: f.person("到账确认人").nullable(),
    settleWay: f.status("短款处理", SETTLE_WAY).nullable(),
    settledOn: f.day("处理日").nullable(),
    settleReason: f.text("处理说明"),
    endReason: f.text("取消原因"),
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
    items: z.array(item),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});

const picked = (what: ItemKind) =>
  z.array(f.id).max(MOST_ITEMS).default([]).meta({ title: ITEM[what][0], kind: "text" });

export const addSubmission = submissions.post("", "新建缴款", "112.add", {
  money: true,
  body: z.object({
    ...asked,
    kind: f.choice("类型", SUBMISSION_KIND),
    toAccountId: f.pick("转入账户"),
    flowIds: picked("flow"),
    keptIds: picked("kept"),
    repaidIds: picked("repaid"),
    /** As it was shown: another sum is shown anew first. */
    expected: f.amount("应缴"),
    submitted: f.amount("实缴"),
    keptReason: f.remark("留存原因").default(""),
    pictures: f.pictures(9).default([]),
    slipNo: f.remark("凭条号", 40).default(""),
    remark: f.remark().default(""),
  }),
  reply: z.object({ id: f.id, submissionNo: z.string() }),
});

const seen = { version: f.version };
const done = z.object({ id: f.id, state: z.string() });

export const cancelSubmission = submissions.put("/:id/cancel", "取消缴款", "112.delete", {
  money: true,
  body: z.object({ ...seen, reason: f.reason() }),
  reply: done,
});

/** Bank lines that may be its money. */
export const linesOfSubmission = submissions.get("/:id/lines", "可匹配的银行流水", "112.edit", {
  reply: z.array(
    z.object({
      id: f.id,
      day: f.day("交易日"),
      counterName: f.text("对方户名"),
      summary: f.text("摘要"),
      amount: f.money("金额"),
      free: f.money("未认领"),
    }),
  ),
});

export const matchSubmission = submissions.put("/:id/match", "匹配银行流水", "112.edit", {
  money: true,
  body: z.object({ ...seen, lineId: f.pick("银行流水"), amount: f.amount("到账金额") }),
  reply: done,
});

export const receiveSubmission = submissions.put("/:id/receive", "确认到账", "#11201", {
  money: true,
  body: z.object({
    ...seen,
    amount: f.amount("到账金额", 0),
    receivedOn: f.dayInput("到账日"),
    remark: f.remark("说明").default(""),
  }),
  reply: done,
});

export const unreceiveSubmission = submissions.put("/:id/unreceive", "取消到账", "#11201", {
  money: true,
  body: z.object({ ...seen, reason: f.reason() }),
  reply: done,
});

export const settleShort = submissions.put("/:id/settleShort", "短款处理", "#11202", {
  money: true,
  body: z.object({
    ...seen,
    way: f.choice("处理方式", SETTLE_WAY),
    /** The cash box that the store pays it into. */
    merchantAccountId: f.pick("补入现金箱").optional(),
    reason: f.reason("说明"),
  }),
  reply: done.extend({ waiting: z.string().nullable() }),
});
