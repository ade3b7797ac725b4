import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { bareBatch, importFamily, listedBatch, made } from "../../system/import/import.contract.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import { payment } from "../flow/receive.contract.ts";
import { PARTNERS } from "./third-party.contract.ts";
import { PARTNER_KIND, SHEET_STATE } from "./third-party.rules.ts";

const sheets = callsAt("/billing/api/v3/thirdPartyIncome", "thirdPartyIncome");
const month = f.monthInput("月份").optional();

const SHEET_SOURCE = { entered: ["录入", "grey"], imported: ["导入", "grey"] } as const;

export const sheetRow = z.object({
  id: f.id,
  sheetNo: f.link("单号"),
  villageId: f.id,
  villageName: f.text("门店"),
  month: f.month("月份"),
  thirdPartyId: f.id,
  partnerName: f.link("合作方"),
  kind: f.status("类型", PARTNER_KIND),
  gross: f.money("对方收入总额"),
  formula: f.text("分成说明"),
  share: f.money("我方分成"),
  tax: f.money("税额"),
  settled: f.money("已结算"),
  outstanding: f.money("未结算", { help: "已确认、尚未收到的分成" }),
  state: f.status("状态", SHEET_STATE),
  source: f.status("来源", SHEET_SOURCE),
  files: f.number("附件", { unit: "个" }),
  creator: f.person("经办人"),
  /** Waits for approval. */
  frozen: z.boolean(),
  version: f.version,
});
export type SheetRow = z.output<typeof sheetRow>;

const sums = z.object({
  gross: f.money("对方收入总额"),
  share: f.money("我方分成"),
  tax: f.money("税额"),
  settled: f.money("已结算"),
  outstanding: f.money("未结算"),
});

export const listSheets = sheets.get("", "第三方收入列表", "252.query", {
  query: pageQuery("month", "gross", "share", "outstanding").extend({
    villageIds: filter.villages(),
    month: filter.by(month, { kind: "month", title: "月份" }),
    thirdPartyId: filter.record("合作方", PARTNERS),
    kind: filter.choices("类型", PARTNER_KIND),
    state: filter.choices("状态", SHEET_STATE),
  }),
  reply: pageReply(sheetRow, sums),
});

export const exportSheets = exportOf({
  type: "thirdPartyIncome",
  title: "第三方收入表",
  needs: "252.export",
  list: listSheets,
});

const cell = (kind: keyof typeof PARTNER_KIND) => f.money(PARTNER_KIND[kind][0]);
const summaryRow = z.object({
  id: f.id,
  villageName: f.link("门店"),
  parking: cell("parking"),
  vending: cell("vending"),
  advertising: cell("advertising"),
  laundry: cell("laundry"),
  network: cell("network"),
  other: cell("other"),
  share: f.money("分成合计"),
  tax: f.money("税额"),
  settled: f.money("已结算"),
  outstanding: f.money("未结算"),
});
export type SummaryRow = z.output<typeof summaryRow>;

/** Our share by store and kind of partner; drafts are not in it. */
export const summary = sheets.get("/summary", "第三方收入汇总", "252.query", {
  query: pageQuery("share", "outstanding").extend({
    villageIds: filter.villages(),
    month: filter.by(month, { kind: "month", title: "月份" }),
  }),
  reply: pageReply(summaryRow, summaryRow.omit({ id: true, villageName: true })),
});

export const exportSummary = exportOf({
  type: "thirdPartySummary",
  title: "第三方收入汇总",
  needs: "252.export",
  list: summary,
});

export const getSheet = sheets.get("/:id", "第三方收入详情", "252.get", {
  reply: sheetRow.extend({
    computed: f.money("按条款分成"),
    waiting: f.money("待确认结算", { help: "已登记收款，待第二人确认" }),
    overrideReason: f.text("调整原因"),
    confirmedAt: f.instant("确认时间").nullable(),
    confirmer: f.person("确认人").nullable(),
    reversedAt: f.instant("冲销时间").nullable(),
    reverseReason: f.text("冲销原因"),
    papers: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
    settlements: z.array(
      z.object({
        id: f.id,
        settledOn: f.day("结算日"),
        amount: f.money("金额"),
        flowId: f.id.nullable(),
        bankLineId: f.id.nullable(),
        paidBy: f.link("流水"),
        operator: f.person("经办人"),
        undoneAt: f.instant("撤销时间").nullable(),
        undoReason: f.text("撤销原因"),
      }),
    ),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});

const of = {
  villageId: f.pick("门店"),
  month: f.monthInput("月份"),
  thirdPartyId: f.pick("合作方"),
  gross: f.amount("对方收入总额", 0),
};

/** What a sheet would come to by the terms of that month. */
export const previewSheet = sheets.get("/preview", "试算第三方收入分成", ["252.add", "252.edit"], {
  query: z.object({
    villageId: z.coerce.number().pipe(f.id),
    month: f.monthInput("月份"),
    thirdPartyId: z.coerce.number().pipe(f.id),
    gross: z.coerce.number().int().min(0).max(9_999_999_999),
    share: z.coerce.number().int().min(0).max(9_999_999_999).optional(),
  }),
  reply: z.object({ share: f.money("我方分成"), tax: f.money("税额"), formula: z.string() }),
});

const sheet = {
  ...of,
  /** Another share than the terms say, with its reason. */
  share: f.amount("调整后分成", 0).nullish(),
  overrideReason: f.remark("调整原因").default(""),
  fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "附件", kind: "file" }),
};
type Overridden = { share?: number | null | undefined; overrideReason: string };
const reasoned = ({ share, overrideReason }: Overridden, ctx: z.RefinementCtx) => {
  if (typeof share === "number" && overrideReason.length < 2)
    ctx.addIssue({ code: "custom", path: ["overrideReason"], message: "请填写原因（2-200字）" });
};

export const addSheet = sheets.post("", "新增第三方收入", "252.add", {
  body: z.object(sheet).superRefine(reasoned),
  reply: z.object({ id: f.id, sheetNo: z.string() }),
});
export type NewSheet = z.output<typeof addSheet.body>;

const seen = z.object({ version: f.version });

export const editSheet = sheets.put("/:id", "修改第三方收入", "252.edit", {
  body: z.object({ ...sheet, version: f.version }).superRefine(reasoned),
  reply: z.null(),
});

export const deleteSheet = sheets.delete("/:id", "删除第三方收入", "252.delete", {
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

const proposed = z.object({ waiting: z.string().nullable() });

export const confirmSheet = sheets.put("/:id/confirm", "确认第三方收入", "252.edit", {
  money: true,
  body: seen,
  reply: proposed,
});

export const confirmSheets = sheets.put("/confirmBatch", "批量确认第三方收入", "252.edit", {
  money: true,
  body: z.object({
    items: f.seenRecords("收入单", "笔", 200),
  }),
  reply: z.object({ count: z.number().int(), waiting: z.number().int() }),
});

export const reverseSheet = sheets.put("/:id/reverse", "冲销第三方收入", "252.edit", {
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: z.null(),
});

export const SETTLE_BY = { line: ["银行到账", "grey"], receipt: ["登记收款", "grey"] } as const;

/** Lines of company accounts with money that nobody has claimed, those nearest to what is owed first. */
export const settleLines = sheets.get("/lines", "可结算的对公流水", "#25201", {
  query: z.object({
    incomeId: z.coerce.number().pipe(f.id),
    ids: idList,
    keyword: z.string().trim().max(50).optional(),
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      accountName: f.text("账户"),
      day: f.day("日期"),
      counterName: f.text("对方户名"),
      free: f.money("未认领"),
    }),
  ),
});

/** Money of the partner for this sheet: part of a line of a company account, or a receipt of its own. */
export const settleSheet = sheets.post("/:id/settle", "结算第三方收入", "#25201", {
  money: true,
  body: seen
    .extend({
      by: f.choice("结算方式", SETTLE_BY),
      amount: f.amount("结算金额"),
      lineId: f.pick("对公流水").nullish(),
      ...payment,
      channel: payment.channel.nullish(),
      merchantAccountId: payment.merchantAccountId.nullish(),
    })
    .superRefine((typed, ctx) => {
      const missing = (path: string, message: string) =>
        ctx.addIssue({ code: "custom", path: [path], message, input: typed });
      if (typed.by === "line" && !typed.lineId) missing("lineId", "请选择对公流水");
      if (typed.by === "receipt" && !typed.channel) missing("channel", "请选择渠道");
      if (typed.by === "receipt" && !typed.merchantAccountId) missing("merchantAccountId", "请选择账户");
    }),
  /** Without a settlement the receipt waits for a second person. */
  reply: z.object({ settlementId: f.id.nullable(), paidBy: z.string() }),
});
export type Settling = z.output<typeof settleSheet.body>;

export const undoSettlement = sheets.post(
  "/:id/settlement/:settlementId/undo",
  "撤销第三方收入结算",
  "#25201",
  {
    money: true,
    params: oneRecord.extend({ settlementId: z.coerce.number().pipe(f.id) }),
    body: seen.extend({ reason: f.reason() }),
    reply: proposed,
  },
);

const imports = importFamily({
  base: "/billing/api/v3/thirdPartyIncome/import",
  title: "第三方收入",
  needs: "252.import",
  target: "thirdPartyImport",
});
export const sheetImport = {
  template: imports.template(),
  check: imports.check(),
  list: imports.list(listedBatch, { villageIds: idList }),
  get: imports.get(bareBatch.extend({ amount: f.money("总额合计"), errors: wrongCells })),
  errorFile: imports.errorFile(),
  columns: imports.columns(),
  commit: imports.commit(made),
  undo: imports.undo(z.object({ id: f.id, removed: z.number().int() })),
};
