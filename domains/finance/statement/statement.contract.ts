import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { STATEMENT_MODE } from "../account/account.rules.ts";
import { FORMAT, type Format } from "./format.rules.ts";
import { BRINGS } from "./template.contract.ts";

const statements = callsAt("/billing/api/v3/statement", "statement");
const bytes = 30 * 1024 * 1024;

const account = { merchantAccountId: z.coerce.number("请选择账户").pipe(f.pick("账户")) };
/** How the file of a bank is read, where its columns have names of their own. */
const template = { templateId: z.coerce.number().pipe(f.id).optional() };
/** What a file is read with, before it is taken. */
export const previewBody = z.object({
  ...account,
  ...template,
  format: f.choice("格式", FORMAT).optional(),
  /** A template that is not kept yet, as JSON. */
  draft: f.worded("program", z.string().max(4000, "银行模板格式不正确")).optional(),
});
export const takeBody = previewBody.omit({ draft: true }).extend({
  /** Why a file whose balances have a gap is taken all the same. */
  note: f.remark("说明", 200).default(""),
  /** The days that it is about, where the file tells of none but those of its lines. */
  dateFrom: f.dayInput("起始日").optional(),
  dateTo: f.dayInput("终止日").optional(),
});

const sums = {
  format: f.status("格式", FORMAT),
  lineCount: f.number("笔数"),
  newCount: f.number("新增"),
  sumIn: f.money("收入"),
  sumOut: f.money("支出"),
  sumFee: f.money("手续费"),
};
export const fault = z.object({
  line: z.number().int(),
  column: z.string(),
  content: z.string(),
  reason: z.string(),
});
/** What a file says, before anything of it is taken. */
export const statementPreview = z.object({
  ...sums,
  encoding: z.string(),
  dateFrom: z.string(),
  dateTo: z.string(),
  /** Whether the file itself says which days it is about. */
  stated: z.boolean(),
  /** Wrong cells, the first 500 of them. */
  faults: z.array(fault),
  faultCount: z.number().int(),
  /** Why the file cannot be taken as a whole. */
  refusal: z.string(),
  /** What wants a note before it is taken. */
  warnings: z.array(z.string()),
  /** The first lines of the file of a bank, cell by cell, by which a person says which column is what. */
  head: z.array(z.object({ line: z.number().int(), cells: z.array(z.string()) })),
  /** Its first lines as they were read, beside what stands in the file. */
  first: z.array(
    z.object({
      lineNo: z.number().int(),
      occurredAt: z.string(),
      direction: z.enum(["in", "out"]),
      amount: z.number().int(),
      fee: z.number().int(),
      number: z.string(),
      counter: z.string(),
      summary: z.string(),
      raw: z.string(),
    }),
  ),
});
export type StatementPreview = z.output<typeof statementPreview>;

/** How a statement comes. */
export const fileUpload = {
  upload: { maxBytes: bytes, maxFiles: 1 },
  timeout: 300_000,
  // twenty files are brought together, and read once more by another template
  perMinute: 60,
} as const;
export const previewStatement = statements.post("/preview", "试读对账单", "25.import", {
  ...fileUpload,
  effect: "read",
  body: previewBody,
  reply: statementPreview,
});
/** The lines at fault as a sheet. */
export const statementFaults = statements.post("/faults", "下载对账单错误行", BRINGS, {
  ...fileUpload,
  effect: "read",
  body: previewBody,
});
/** A long file is left to a job: its run is answered, and nothing of it is known yet. */
export const taken = z.object({
  runId: f.id.nullable(),
  id: f.id.nullable(),
  statementNo: z.string(),
  lineCount: z.number(),
  newCount: z.number(),
});
/** What is answered of a file that a job takes. */
export const NOTHING_YET = { id: null, statementNo: "", lineCount: 0, newCount: 0 };
export const importStatement = statements.post("", "导入对账单", "25.import", {
  ...fileUpload,
  money: true,
  body: takeBody,
  reply: taken,
});
/** The run that takes a long file back, or nothing where it is back already. */
export const undone = z.object({ runId: f.id.nullable() });
export const undoStatement = statements.delete("/:id", "撤销导入对账单", "25.import", {
  money: true,
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  timeout: 300_000,
  reply: undone,
});

const run = z.object({
  id: f.id,
  kind: z.enum(["import", "undo"]),
  accountName: z.string(),
  fileName: z.string(),
  state: z.enum(["running", "done", "failed"]),
  progress: z.number().int(),
  /** What came of it. */
  told: z.string(),
});
export type Run = z.output<typeof run>;
/** Told when somebody brings a long file, or takes one back. */
export const runAsked = event("statement.run", z.object({ id: f.id }));
/** Long files that are being taken, or taken back, and those of the last day that could not be. */
export const listRuns = statements.get("/run", "对账单处理进度", BRINGS, {
  query: z.object({
    mode: f.choice("对账方式", STATEMENT_MODE),
    id: z.coerce.number().pipe(f.id).optional(),
  }),
  reply: z.array(run),
});

const row = z.object({
  id: f.id,
  statementNo: f.link("批次号"),
  accountName: f.text("账户"),
  mode: f.status("对账方式", STATEMENT_MODE),
  ...sums,
  dateFrom: f.day("起"),
  dateTo: f.day("止"),
  fileName: f.text("文件"),
  encoding: f.text("编码"),
  note: f.text("说明"),
  templateName: f.text("银行模板"),
  creator: f.person("导入人"),
  createdAt: f.instant("导入时间"),
  undoneAt: f.instant("撤销时间").nullable(),
  version: f.version,
});
export type StatementRow = z.output<typeof row> & { format: Format };
export const listStatements = statements.get("", "对账单批次", ["25.query", "97.query"], {
  query: pageQuery("createdAt").extend({
    merchantAccountId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "账户",
      source: ACCOUNTS,
    }),
    mode: filter.choice("对账方式", STATEMENT_MODE),
    keyword: filter.keyword("批次号、文件名"),
  }),
  reply: pageReply(row),
});
