import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { AGREED_BY, actCalls } from "../act/act.contract.ts";
import { ACT_KIND_WORDS, ACT_SOURCES, ACT_STATES } from "../act/act.rules.ts";
import { contracts } from "../contract/contract.contract.ts";
import { changePreview } from "../recut/recut.contract.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import {
  CLAWBACK_WORDS,
  DUE_WORDS,
  FEE_KIND_WORDS,
  PAYER_WORDS,
  PENALTY_WORDS,
} from "../terms/terms.contract.ts";

const PATH = "/contract/api/v3/amendment";

const rise = z
  .object({
    /** Empty: every room. */
    roomId: f.pick("房间").nullish(),
    fromDate: f.dayInput("起"),
    rent: f.amount("新月租金").nullish(),
    percent: f
      .token(8, "请输入比例")
      .regex(/^-?\d{1,3}(\.\d{1,2})?$/, "比例最多两位小数")
      .meta({ title: "比例", kind: "text", decimal: true })
      .nullish(),
  })
  .refine((r) => Boolean(r.rent) !== Boolean(r.percent), {
    error: "请填写新月租金或上调比例其中一项",
    path: ["rent"],
  });
const free = z.object({ fromDate: f.dayInput("起"), toDate: f.dayInput("止") });
const fee = z.object({
  feeId: f.pick("费用科目"),
  kind: f.choice("收取方式", { recurring: FEE_KIND_WORDS.recurring, once: FEE_KIND_WORDS.once }),
  amount: f.amount("金额"),
  /** Of companies: left out it is the company. */
  payer: f.choice("付款方", PAYER_WORDS).nullish(),
  toDate: f.dayInput("止").nullish(),
});

/** Whether the day of leaving costs rent; nothing chosen leaves it as it is. */
export const LEAVE_DAY = { charged: ["计租", "grey"], free: ["不计租", "grey"] } as const satisfies f.Words;

/** What is agreed anew; what is left open stays as it is. */
export const amendDraft = z.object({
  effectiveOn: f.dayInput("生效日"),
  reason: f.reason("变更原因"),
  rises: z.array(rise).max(100, "一次最多调整100行租金").default([]),
  /** The steps that were agreed before go on after the change. */
  keepRise: z.boolean().default(true).meta({ title: "原有递增", kind: "flag" }),
  end: f.dayInput("新到期日").nullish(),
  free: z.array(free).max(12, "一次最多12段免租").default([]),
  fees: z.array(fee).max(20, "一次最多新增20项费用").default([]),
  endFees: f.ids().max(60).default([]).meta({ title: "停收费用", kind: "tags" }),
  dueRule: f.choice("应收日", DUE_WORDS).nullish(),
  dueDays: f.whole("提前天数", 0, 60).nullish(),
  dueDay: f.whole("固定日", 1, 31).nullish(),
  dueMonthOffset: f.whole("月份", -1, 1).nullish(),
  graceDays: f.whole("宽限天数", 0, 60).nullish(),
  lateFeeDailyRate: f
    .token(6, "请输入比例")
    .regex(/^[01](\.\d{1,4})?$/, "滞纳金每天为 0 至 1%")
    .nullish()
    .meta({ title: "滞纳金每天%", decimal: true }),
  lateFeeCapPercent: f.whole("滞纳金上限%", 0, 100).nullish(),
  noticeDays: f.whole("通知期", 0, 180).nullish(),
  leaveDayCharged: f.choice("退房当日", LEAVE_DAY).nullish(),
  penaltyRule: f.choice("违约金", PENALTY_WORDS).nullish(),
  penaltyMonths: f
    .token(5, "请输入月数")
    .regex(/^\d{1,2}(\.\d)?$/, "违约金为 0 至 12 个月租金")
    .nullish()
    .meta({ title: "违约金月数", decimal: true }),
  penaltyPercent: f.whole("剩余租金%", 0, 100).nullish(),
  penaltyCapMonths: f
    .token(5, "请输入月数")
    .regex(/^\d{1,2}(\.\d)?$/, "封顶为 0 至 12 个月租金")
    .nullish()
    .meta({ title: "封顶月数", decimal: true }),
  rentFreeClawback: f.choice("免租追回", CLAWBACK_WORDS).nullish(),
  holdoverPercent: f.whole("到期占用费%", 100, 300).nullish(),
});
export type AmendDraft = z.output<typeof amendDraft>;

export const amendActs = actCalls(PATH, {
  target: "amendment",
  title: "变更条款",
  get: ofAnyKind("get"),
  work: ofAnyKind("amend"),
  accept: ofAnyKind("amend"),
  confirm: ofAnyKind("amend"),
  undo: ofAnyKind("amend"),
  body: amendDraft,
  preview: changePreview,
});

const row = z.object({
  id: f.id,
  actNo: f.link("单号"),
  kind: f.status("类型", ACT_KIND_WORDS),
  source: f.status("来源", ACT_SOURCES),
  requestedOn: f.day("申请日"),
  effectiveOn: f.day("生效日"),
  net: f.money("结果").nullable(),
  reason: f.text("原因"),
  handlerName: f.person("处理人"),
  state: f.status("状态", ACT_STATES),
  version: f.version,
});
export type ActRow = z.output<typeof row>;

/** Everything that was done to a contract, the newest first. */
export const contractActs = contracts.get("/:id/acts", "合同变更记录", ofAnyKind("get"), {
  target: "contract",
  reply: z.array(row),
});

const amendments = callsAt(PATH, "amendment");
/** A change of terms or of rooms, with what was asked for in words. */
export const getChange = amendments.get("/:id", "变更详情", ofAnyKind("get"), {
  reply: row.extend({
    kind: f.status("类型", ACT_KIND_WORDS),
    contractId: f.id,
    contractNo: f.link("合同号"),
    contractKind: z.enum(CONTRACT_KINDS),
    villageName: f.text("门店"),
    partyName: f.person("承租方"),
    agreed: z.boolean(),
    frozen: z.boolean(),
    /** Why it cannot be taken back any more: money was paid since. */
    paidSince: z.string().nullable(),
    /** Its supplement is being signed electronically. */
    signing: z.boolean(),
    agreedHow: f.status("签署", AGREED_BY).nullable(),
    agreedNote: f.text("签署说明"),
    endedWhy: f.text("终止原因"),
    clauses: z.array(f.text("约定")),
    draft: z.looseObject({}),
    /** While it is open what it comes to now, afterwards nothing: it stands in the bills. */
    preview: changePreview.nullable(),
    done: changePreview.shape.bills.nullable(),
    files: z.array(
      z.object({ id: f.id, name: f.text("文件名"), type: f.text("格式"), size: f.number("大小") }),
    ),
  }),
});

export const supplementFile = amendments.get("/:id/sheet", "打印补充协议", ofAnyKind("get"), {
  target: "amendment",
  timeout: 60_000,
  perMinute: 120,
});
