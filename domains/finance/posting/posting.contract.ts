import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { momentShown } from "../journal/entry.contract.ts";
import { BATCH_STATE, type BatchState, type PostedSide, SIDE } from "./posting.rules.ts";
import { FORMAT } from "./layout.rules.ts";

const postings = callsAt("/billing/api/v3/posting", "posting");
const side = z.enum(Object.keys(SIDE) as [PostedSide, ...PostedSide[]]);
const aMonth = f.monthInput("月份");
/** Nothing is head office (公司本部), for who has every store of the enterprise. */
const place = z.coerce.number().pipe(f.id).optional();
const seen = z.object({ version: f.version });

export const postingRow = z.object({
  id: f.id,
  batchNo: f.link("过账单号"),
  villageId: f.id.nullable(),
  villageName: f.text("门店"),
  month: f.month("月份"),
  side: f.status("类别", SIDE),
  vouchers: f.number("凭证数", { unit: "张" }),
  debit: f.money("借方合计"),
  credit: f.money("贷方合计"),
  /** Of the cost bills of the month. */
  paid: f.money("已付").nullable(),
  unpaid: f.money("未付").nullable(),
  state: f.status("状态", BATCH_STATE),
  fileVersion: f.number("文件版本"),
  glVoucherNo: f.text("总账凭证号"),
  creator: f.person("生成人"),
  createdAt: f.instant("生成时间"),
  exporter: f.person("导出人").nullable(),
  exportedAt: f.instant("导出时间").nullable(),
  reason: f.text("作废原因"),
  version: f.version,
});
export type PostingRow = z.output<typeof postingRow>;

export const listPostings = postings.get("", "过账单", "200.query", {
  query: pageQuery("month", "debit").extend({
    side: side.default("income"),
    villageIds: filter.villages(),
    month: filter.by(aMonth.optional(), { kind: "month", title: "月份" }),
    state: filter.choices("状态", BATCH_STATE),
  }),
  reply: pageReply(
    postingRow,
    postingRow.pick({ vouchers: true, debit: true, credit: true, paid: true, unpaid: true }),
  ),
});
export const exportPostings = exportOf({
  type: "posting",
  title: "过账单",
  needs: "200.export",
  list: listPostings,
  filters: { side: "类别" },
});

const cell = z.object({
  month: z.string(),
  /** Nothing where no batch stands. */
  state: z.enum(Object.keys(BATCH_STATE) as [BatchState, ...BatchState[]]).nullable(),
  id: f.id.nullable(),
  debit: z.number(),
  locked: z.boolean(),
});
/** A year of every store: which months are posted. */
export const postingYear = postings.get("/year", "过账年历", "200.query", {
  query: z.object({ side, year: z.coerce.number().int().min(2000).max(2099) }),
  reply: z.object({
    year: z.number(),
    rows: z.array(z.object({ villageId: f.id.nullable(), villageName: z.string(), months: z.array(cell) })),
  }),
});
export type PostingYear = z.output<typeof postingYear.reply>;

export const checkShown = z.object({
  key: z.string(),
  level: z.enum(["ok", "amber", "red"]),
  title: z.string(),
  said: z.string(),
  path: z.string().nullable(),
  query: z.record(z.string(), z.string()),
});
/** What a month still waits for, and how far it is. */
export const checkPosting = postings.get("/check", "过账检查", "200.query", {
  query: z.object({ side, month: aMonth, villageId: place }),
  reply: z.object({
    villageName: z.string(),
    checks: z.array(checkShown),
    /** What the books have of the month. */
    debit: z.number(),
    ended: z.boolean(),
    locked: z.boolean(),
    batch: postingRow.nullable(),
  }),
  timeout: 120_000,
});
export type PostingCheck = z.output<typeof checkPosting.reply>;

const started = z.object({ id: f.id });
export const generatePosting = postings.post("", "生成过账单", "200.add", {
  body: z.object({ side: f.choice("类别", SIDE), month: aMonth, villageId: f.id.optional() }),
  reply: started,
  timeout: 120_000,
});

const runs = callsAt("/billing/api/v3/postingRun", "postingRun");
/** Many places, each by itself; what became of each is told by the run. */
export const generateMany = runs.post("", "批量生成过账单", "200.add", {
  body: z.object({
    side: f.choice("类别", SIDE),
    month: aMonth,
    villageIds: f.ids().max(2000).default([]),
    office: f.flag("公司本部").default(false),
    /** For who may do it (#20003): each store's income and tax first, as far as the books lack them. */
    accrue: f.flag("先计提并申报", { help: "收入计提到本月末，未开票的税金按纳税时点申报" }).default(false),
  }),
  reply: started,
});

export const RUN_STATE = {
  running: ["生成中", "blue"],
  done: ["已完成", "green"],
} as const satisfies f.Words;
export const ROW_STATE = {
  waiting: ["等待", "grey"],
  done: ["已生成", "green"],
  refused: ["未生成", "red"],
} as const satisfies f.Words;

/** The last runs of whoever asks, the newest first. */
export const listRuns = runs.get("", "批量生成记录", "200.add", {
  query: z.object({ side }),
  reply: z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      month: f.month("月份"),
      state: f.status("状态", RUN_STATE),
      total: f.number("门店数"),
      done: f.number("已生成"),
      refused: f.number("未生成"),
    }),
  ),
});

/** How far a run is, and what became of each place; for whoever started it. */
export const getRun = runs.get("/:id", "批量生成结果", "200.add", {
  reply: z.object({
    id: f.id,
    month: f.month("月份"),
    state: f.status("状态", RUN_STATE),
    percent: f.progress("进度"),
    rows: z.array(
      z.object({
        seq: z.number().int(),
        villageName: f.text("门店"),
        state: f.status("结果", ROW_STATE),
        batchId: f.id.nullable(),
        batchNo: f.link("过账单号"),
        debit: f.money("借方合计").nullable(),
        said: f.text("说明"),
      }),
    ),
  }),
});

export const runStarted = event("finance.postingStarted", z.object({ id: f.id }));

const voucherLine = z.object({
  id: f.id,
  seq: z.number().int(),
  account: f.text("科目"),
  accountName: f.text("科目名称"),
  glCode: f.text("总账科目"),
  auxiliary: f.text("辅助核算"),
  debit: f.money("借方"),
  credit: f.money("贷方"),
});
export const getPosting = postings.get("/:id", "过账单详情", "200.get", {
  target: "posting",
  reply: postingRow.extend({
    /** What the journal has of this month and side now. */
    inBooks: f.money("账簿借方"),
    vouchersOf: z.array(
      z.object({
        id: f.id,
        kind: z.string(),
        title: z.string(),
        date: z.string(),
        memo: z.string(),
        debit: z.number(),
        lines: z.array(voucherLine),
      }),
    ),
    log: z.array(momentShown),
  }),
});
export type Posting = z.output<typeof getPosting.reply>;

/** The journal entries behind one line of a voucher, at most a page of them; all of them as a file. */
export const entriesBehind = postings.get("/entries", "分录明细", "200.get", {
  query: pageQuery("date").extend({
    voucherId: z.coerce.number().pipe(f.id),
    seq: z.coerce.number().int().min(0).max(100_000),
  }),
  reply: pageReply(
    z.object({
      id: z.string(),
      entryNo: f.text("凭证号"),
      eventName: f.text("事项"),
      date: f.day("记账日"),
      businessDate: f.day("业务日期"),
      memo: f.text("摘要"),
      billNo: f.text("账单").nullable(),
      flowNo: f.text("流水").nullable(),
      partyName: f.person("客户").nullable(),
      debit: f.money("借方"),
      credit: f.money("贷方"),
    }),
  ),
});

export const exportEntries = exportOf({
  type: "postingEntries",
  title: "分录明细",
  needs: "200.export",
  list: entriesBehind,
  filters: { voucherId: "凭证", seq: "分录" },
});

export const discardPosting = postings.delete("/:id", "作废过账单", "200.delete", {
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

const format = f.choice("文件格式", FORMAT);
/** Writes the file and locks the month. */
export const exportPosting = postings.post("/:id/export", "导出锁账", "#20001", {
  body: seen.extend({ format }),
});
const several = z.object({
  items: f.seenRecords("过账单", "张", 500),
  format,
});
/** Several at once into one file. */
export const exportMany = postings.post("/export", "批量导出锁账", "#20001", {
  body: several,
  timeout: 600_000,
});
/** The same figures with the mapping of now. */
export const exportAgain = postings.post("/:id/exportAgain", "再次导出", "#20002", {
  body: seen.extend({ format }),
});
export const exportManyAgain = postings.post("/exportAgain", "批量再次导出", "#20002", {
  body: several,
  timeout: 600_000,
});
export const bookPosting = postings.put("/:id/booked", "填写总账凭证号", "#20002", {
  body: seen.extend({ glVoucherNo: f.input("总账凭证号", 1, 40) }),
  reply: z.null(),
});
/** Opens the last locked month again. */
export const reopenPosting = postings.put("/:id/reopen", "解锁月份", "#20001", {
  body: seen.extend({ reason: f.reason() }),
  reply: z.null(),
});
