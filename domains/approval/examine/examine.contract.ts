import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { BOXES, EXAMINE_STATE, MODES, STEP_STATE } from "./engine.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { FIELD_KINDS } from "./condition.rules.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
const examines = callsAt("/system/api/v3/examine", "approval");
const fen = z.coerce.number().int().optional();

export const DECISIONS = {
  approve: ["通过", "green"],
  reject: ["驳回", "red"],
  return: ["退回", "orange"],
  transfer: ["转交", "purple"],
  withdraw: ["撤回", "grey"],
} as const satisfies Words;
export type Decision = keyof typeof DECISIONS;

export const examineRow = z.object({
  id: f.id,
  examineNo: f.link("审批单号"),
  moduleType: z.string(),
  typeName: f.text("类型"),
  title: f.link("标题"),
  /** Screen and id of the record that waits. */
  page: z.string(),
  targetId: f.id,
  villageId: f.id,
  villageName: f.text("门店"),
  amount: f.money("金额").nullable(),
  factText: f.text("关键信息"),
  submitter: f.person("提交人"),
  submittedAt: f.instant("提交时间"),
  node: f.text("当前节点"),
  waitingFor: f.text("待审批人"),
  /** Hours since the node was opened; null when it is decided. */
  waited: f.number("等待时长", { unit: "小时" }).nullable(),
  late: z.boolean(),
  /** Waits for the reader. */
  mine: z.boolean(),
  state: f.status("状态", EXAMINE_STATE),
  version: z.number().int(),
});
export type ExamineRow = z.output<typeof examineRow>;

/** `box` is the tab: 待我审批, 我发起的, 被驳回待修改, 我已处理, 全部. */
export const listExamines = examines.get("", "审批列表", "login", {
  query: pageQuery("submittedAt", "amount").extend({
    box: z.enum(BOXES).default("mine"),
    /** The words are what domains have registered. */
    types: filter.by(z.string().max(200).optional(), {
      kind: "choice",
      title: "类型",
      words: {},
      many: true,
    }),
    villageIds: filter.villages(),
    keyword: filter.keyword("单号、标题、提交人"),
    ...filter.between("submittedFrom", "submittedTo", f.dayInput("日期").optional(), {
      kind: "days",
      title: "提交时间",
    }),
    ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "金额" }),
    state: filter.choices("状态", EXAMINE_STATE),
  }),
  reply: pageReply(examineRow, z.object({ amount: z.number() })),
});

export const countExamines = examines.get("/count", "待审批笔数", "login", {
  query: z.object({ villageIds: idList }),
  reply: z.object({
    mine: z.number().int(),
    /** Of these, older than the reminder hours of their node. */
    late: z.number().int(),
    /** Own submissions that were rejected and not sent again. */
    returned: z.number().int(),
  }),
});

/** What a record waits for, for whom and since when: stands on top of it. */
export const frozenShape = z.object({
  examineId: f.id,
  examineNo: z.string(),
  title: z.string(),
  /** "1/2 店长". */
  node: z.string(),
  waitingFor: z.string(),
  since: z.string(),
  /** Whether the reader may open the approval, and whether he submitted it. */
  opens: z.boolean(),
  mine: z.boolean(),
  version: z.number().int(),
});
export type Frozen = z.output<typeof frozenShape>;

export const previewTable = z.object({
  title: z.string(),
  columns: z.array(z.object({ title: z.string(), kind: z.enum(["text", "money"]) })),
  rows: z.array(z.array(z.union([z.string(), z.number()]).nullable())),
});

const moment = z.object({
  id: f.id,
  at: f.instant("时间"),
  who: f.person("操作人"),
  what: f.text("动作"),
  note: f.text("摘要"),
});
const person = z.object({ id: f.id, name: f.person("审批人"), active: z.boolean() });
const step = z.object({
  id: f.id,
  round: z.number().int(),
  order: z.number().int(),
  operatorId: f.id,
  name: f.person("审批人"),
  state: f.status("结果", STEP_STATE),
  merged: z.boolean(),
  comment: f.text("意见"),
  askedAt: f.instant("到达时间"),
  decidedAt: f.instant("处理时间").nullable(),
  transferredTo: f.person("转交给").nullable(),
});
export type ExamineStep = z.output<typeof step>;

export const examineDetail = examineRow.omit({ factText: true }).extend({
  keyFacts: z.array(z.tuple([z.string(), z.string()])),
  reason: f.text("原因"),
  preview: z.array(previewTable),
  files: z.array(z.object({ id: f.id, name: f.text("文件名"), type: z.string() })),
  /** What happened to the record before and beside this approval, newest first, the last 20. */
  history: z.array(moment),
  moduleName: f.text("审批配置"),
  processName: f.text("流程"),
  condition: f.text("条件"),
  decidedAt: f.instant("结束时间").nullable(),
  round: z.number().int(),
  order: z.number().int(),
  nodes: z.array(
    z.object({
      order: z.number().int(),
      name: z.string(),
      who: z.string(),
      mode: f.status("方式", MODES),
      remindHours: z.number().int(),
      people: z.array(person),
    }),
  ),
  steps: z.array(step),
  /** Permit that people it is handed to must hold. */
  permit: z.string(),
  submitterId: f.id,
  submitted: z.boolean(),
  /** Whether the reader may hand it in again. */
  again: z.boolean(),
  /** Who may be relieved of it by the reader: themselves, or everybody asked with the code for it. */
  movable: z.array(z.object({ id: f.id, name: z.string() })),
  /** Why it cannot be approved as things stand now. */
  obstacle: z.string().nullable(),
});
export type ExamineDetail = z.output<typeof examineDetail>;

export const getExamine = examines.get("/:id", "审批详情", "login", { reply: examineDetail });

/** A paper of the act, for whoever may open the examine. */
export const examineFile = examines.get("/:id/file/:fileId", "查看审批附件", "login", {
  params: oneRecord.extend({ fileId: z.coerce.number().pipe(f.id) }),
});

export const decideExamine = examines.put("/:id", "处理审批", "login", {
  money: true,
  body: z.object({
    decision: f.choice("处理", DECISIONS),
    comment: f.remark("审批意见").default(""),
    toOperatorId: f.pick("转交给").optional(),
    /** Transfers for somebody else, with the code for it. */
    fromOperatorId: f.id.optional(),
    toOrder: f.whole("退回到", 1, 10).optional(),
    version: f.version,
  }),
  reply: z.object({ id: f.id, state: f.status("状态", EXAMINE_STATE) }),
});
export type Decide = z.output<typeof decideExamine.body>;

export const submitExamine = examines.put("/:id/submit", "重新提交审批", "login", {
  money: true,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, state: f.status("状态", EXAMINE_STATE) }),
});

/** What waited for approval does not wait any more. */
export const examineEnded = event(
  "examine.ended",
  z.object({ examineId: f.id, type: z.string(), kind: z.string(), recordId: f.id, state: z.string() }),
);

export const actField = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum(FIELD_KINDS),
  unit: z.string().optional(),
});

/** Only kinds of acts that a domain has really registered. */
export const moduleTypes = callsAt("/system/api/v4/module/type").get("", "审批类型", "login", {
  reply: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      group: z.string(),
      fields: z.array(actField),
      /** Modules of the type in the operator's enterprise. */
      modules: z.number().int(),
    }),
  ),
});

export type ModuleType = z.output<typeof moduleTypes.reply>[number];
