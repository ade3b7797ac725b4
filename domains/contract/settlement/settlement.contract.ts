import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { REFUND_STATE } from "../../finance/refund/refund.rules.ts";
import { AGREED_BY, actCalls } from "../act/act.contract.ts";
import { ACT_SOURCES, ACT_STATES } from "../act/act.rules.ts";
import { CONTRACT_KINDS, PARTY_WORDS } from "../terms/kind.rules.ts";
import { END_REASONS, LINE_KINDS } from "./settlement.rules.ts";

const PATH = "/contract/api/v3/settlement";
const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];

/** What a clerk charges beside what follows from the contract. */
export const CHARGES = {
  utility: ["水电", "blue"],
  damage: ["赔偿", "orange"],
  cleaning: ["保洁", "grey"],
  other: ["其他扣款", "grey"],
} as const satisfies f.Words;

/** One charge, of the kinds that an act may carry. */
export const chargeOf = <K extends string>(kinds: f.Words<K>) =>
  z
    .object({
      kind: f.choice("类型", kinds),
      feeId: f.pick("费用科目"),
      title: f.input("名称", 1, 30),
      /** With a price the amount is what they come to: 128 度 × 0.80. */
      quantity: f
        .token(12, "请输入数量")
        .regex(/^\d{1,8}(\.\d{1,2})?$/, "请输入正确的数量（最多8位整数、2位小数）")
        .meta({ title: "数量", kind: "text", decimal: true, max: 12, wording: "program" })
        .nullish(),
      price: f.amount("单价").nullish(),
      amount: f.amount("金额"),
      clause: f.remark("合同条款", 50).default(""),
      note: f.remark("说明", 50).default(""),
    })
    .refine((c) => c.kind === "utility" || c.clause, {
      error: "请填写扣款依据的合同条款",
      path: ["clause"],
    })
    .refine((c) => c.kind === "utility" || c.note, { error: "请填写扣款说明", path: ["note"] })
    .refine((c) => !c.quantity === !c.price, { error: "数量和单价须同时填写", path: ["price"] });

export const settleDraft = z.object({
  effectiveOn: f.dayInput("退房日"),
  endReason: f.choice("类型", END_REASONS),
  noticeOn: f.dayInput("通知日").nullish(),
  /** Late fee is worked out to this day; the day of leaving where it is left open. */
  settleOn: f.dayInput("结算日").nullish(),
  reason: f.reason("退房原因"),
  /** In place of what the terms say; who sets it says why. */
  penalty: f.amount("违约金", 0).nullish(),
  penaltyReason: f.remark("调整原因").default(""),
  charges: z.array(chargeOf(CHARGES)).max(50, "扣款最多50项").default([]),
});
export type SettleDraft = z.output<typeof settleDraft>;

const line = z.object({
  kind: z.enum(words(LINE_KINDS)),
  title: f.text("项目"),
  amount: f.money("金额"),
  clause: f.text("依据"),
  formula: f.text("计算说明"),
});

export const settlePreview = z.object({
  lines: z.array(line),
  net: f.money("结算结果"),
  deposit: f.money("在管押金"),
  prepaid: f.money("预存款"),
  bills: z.array(
    z.object({
      id: f.id,
      billNo: f.link("账单"),
      title: f.text("名称"),
      before: f.money("原应收"),
      after: f.money("结算后"),
      credit: f.money("退回"),
      open: f.money("待收"),
      done: f.text("处理"),
    }),
  ),
  /** The same leaving on the other bases; only the contract's counts. */
  compare: z.array(z.object({ basis: f.text("口径"), own: z.boolean(), net: f.money("结果") })),
  obstacles: z.array(z.object({ code: z.string(), msg: z.string() })),
  warnings: z.array(z.string()),
  previewHash: z.string(),
  /** Of lines and draft alone: another than the record's means that it is to be handed in again. */
  sheetHash: z.string(),
});
export type SettlePreview = z.input<typeof settlePreview>;

export const settlementActs = actCalls(PATH, {
  target: "settlement",
  title: "退房",
  code: 72,
  accept: "#7201",
  confirm: "#7202",
  undo: "#7204",
  body: settleDraft,
  preview: settlePreview,
});

/** Tabs of the list. `expired`: contracts that ran out and nobody settles yet. */
export const TABS = {
  requested: "待受理",
  inspecting: "验房中",
  settling: "结算中",
  approving: "审批中",
  confirming: "待租客确认",
  toPay: "待收付",
  done: "已完成",
  ended: "已驳回/取消",
} as const;
export type SettleTab = keyof typeof TABS;
export const RESULTS = {
  refund: ["应退", "green"],
  bill: ["应收", "red"],
  even: ["两清", "grey"],
} as const satisfies f.Words;

const shown = (title: string, from: string, to: string) => ({ kind: "days", title, from, to }) as const;
export const settleFilter = z.object({
  villageIds: filter.villages(),
  tab: filter.tab(z.enum(words(TABS)).optional(), TABS),
  requestedFrom: filter.by(
    f.dayInput("申请日起").optional(),
    shown("申请日", "requestedFrom", "requestedTo"),
  ),
  requestedTo: filter.by(f.dayInput("申请日止").optional(), shown("申请日", "requestedFrom", "requestedTo")),
  leaveFrom: filter.by(f.dayInput("退房日起").optional(), shown("退房日", "leaveFrom", "leaveTo")),
  leaveTo: filter.by(f.dayInput("退房日止").optional(), shown("退房日", "leaveFrom", "leaveTo")),
  unsettled: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "仅未结算" }),
  endReason: filter.choice("类型", END_REASONS),
  kind: filter.choice("合同类型", PARTY_WORDS),
  result: filter.choice("结果", RESULTS),
  handlerId: filter.by(z.coerce.number().pipe(f.id).optional(), {
    kind: "choice",
    title: "处理人",
    source: PEOPLE,
  }),
  contractId: z.coerce.number().pipe(f.id).optional(),
  keyword: filter.keyword("单号、合同号、租客、手机号、房间"),
});
export type SettleFilter = z.output<typeof settleFilter>;

const row = z.object({
  id: f.id,
  actNo: f.link("申请单号"),
  contractId: f.id,
  contractNo: f.link("合同号"),
  contractKind: z.enum(CONTRACT_KINDS),
  villageId: f.id,
  villageName: f.text("门店"),
  /** The first of them. */
  roomId: f.id,
  roomNames: f.room("房间"),
  partyId: f.id,
  partyName: f.person("租客"),
  source: f.status("来源", ACT_SOURCES),
  requestedOn: f.day("申请日"),
  effectiveOn: f.day("退房日"),
  endReason: f.status("类型", END_REASONS),
  start: f.day("租期起"),
  end: f.day("租期止"),
  depositHeld: f.money("押金在管"),
  net: f.money("结算结果").nullable(),
  handlerName: f.person("处理人"),
  state: f.status("状态", ACT_STATES),
  /** A dot a step, and how long it has stood at this one. */
  steps: f.text("进度"),
  agreed: z.boolean(),
  frozen: z.boolean(),
  refundId: f.id.nullable(),
  refundState: f.status("退款状态", REFUND_STATE).nullable(),
  billId: f.id.nullable(),
  /** Why it cannot be taken back any more: money was paid since. */
  paidSince: z.string().nullable(),
  sheetHash: z.string().nullable(),
  presentedOn: f.day("送达日").nullable(),
  /** Where the refund goes; empty while nobody said. */
  payeeText: f.text("收款账户"),
  /** From then on silence agrees. */
  silentDays: z.number().int(),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});
export type SettleRow = z.output<typeof row>;

const NO_CARD = "银行卡号格式不正确";
const payee = z.object({
  accountId: f.id,
  holder: f.person("户名"),
  bank: f.text("开户行"),
  number: f.bankCardNo("账号"),
  relation: f.text("与客户关系"),
  byTenant: f.flag("租客填写"),
  version: f.version,
});
export type Payee = z.input<typeof payee>;

/** The account of a bank as somebody types it. */
export const typedAccount = {
  bank: f.input("开户行", 2, 30),
  number: f.checked("账号", bankCard, { max: 30, secrecy: "bank" }),
};

const family = recordCalls({ path: PATH, code: 72, title: "退房申请", target: "settlement" });
export const listSettlements = family.list(
  pageQuery("effectiveOn", "requestedOn", "net", "id").extend(settleFilter.shape),
  row,
  {
    sums: z.object({
      refunds: f.money("应退合计"),
      owed: f.money("应收合计"),
      deposits: f.money("押金在管"),
    }),
  },
);
export const exportSettlements = family.export(listSettlements, {
  personal: true,
  filters: { contractId: "合同编号" },
});

const settlements = callsAt(PATH, "settlement");
export const countSettlements = settlements.get("/counts", "退房申请各状态数量", "72.query", {
  query: settleFilter.omit({ tab: true }),
  reply: z.record(z.string(), z.number()),
});

/** How many leave on each day of a month, under the filter of the list. */
export const settlementDays = settlements.get("/days", "退房日历", "72.query", {
  query: settleFilter.omit({ leaveFrom: true, leaveTo: true }).extend({ month: f.monthInput("月份") }),
  reply: z.array(z.object({ day: f.day("退房日"), count: f.number("笔数") })),
});

export const getSettlement = family.get(
  row.extend({
    payee: payee.nullable(),
    draft: z.object({
      ...settleDraft.shape,
      effectiveOn: z.string(),
      charges: z.array(z.looseObject({})),
    }),
    agreedHow: f.status("租客确认", AGREED_BY).nullable(),
    agreedNote: f.text("确认说明"),
    endedWhy: f.text("原因"),
    /** As it was confirmed. */
    lines: z.array(line),
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string() })),
  }),
);

/** What the hand-over sheets propose to charge, of all rooms or of those that are given back. */
export const findings = settlements.get("/findings", "验房单建议的扣款", ["72.get", "96.get", "#1108"], {
  query: z.object({ contractId: z.coerce.number().pipe(f.id), roomIds: idList }),
  reply: z.array(
    z.object({
      kind: z.enum(words(CHARGES)),
      feeId: f.id,
      title: f.text("名称"),
      quantity: z.string().nullish(),
      price: f.money("单价").nullish(),
      amount: f.money("金额"),
      clause: f.text("依据"),
      note: f.text("说明"),
    }),
  ),
});

/** The accounts that the party has: its refund may go to one of them. */
export const payeeAccounts = settlements.get("/:id/accounts", "退房租客的银行账户", "72.edit", {
  reply: z.array(z.object({ id: f.id, label: z.string() })),
});

/** Where the refund goes: an account that the party has, or one that is typed and kept with it. */
export const savePayee = settlements.put("/:id/payee", "登记退房退款收款账户", "72.edit", {
  body: z
    .object({
      accountId: f.pick("收款账户").nullish(),
      holder: f.remark("户名", 30).default(""),
      bank: f.remark("开户行", 30).default(""),
      number: f.checked("账号", optional(bankCard), { max: 30, secrecy: "bank" }).default(""),
      relation: f.remark("与客户关系", 60).default(""),
      fileIds: f.ids().max(9, "附件最多9个").default([]).meta({ title: "证明", kind: "file" }),
      version: f.versionOrNone,
    })
    .superRefine(({ accountId, holder, bank, number }, { addIssue }) => {
      if (accountId) return;
      const ask = (field: string, msg: string) => addIssue({ code: "custom", path: [field], message: msg });
      if (holder.length < 2) ask("holder", "户名长度为2到30个字");
      if (bank.length < 2) ask("bank", "开户行长度为2到30个字");
      if (!number) ask("number", NO_CARD);
    }),
  reply: z.object({ version: f.version }),
});

/** 退房结算单 as PDF: as it is worked out now, or as it was confirmed. */
export const settlementSheetFile = settlements.get("/:id/sheet", "打印结算单", "72.get", {
  target: "settlement",
  timeout: 60_000,
  perMinute: 120,
});

export const contractSettled = event(
  "contract.settled",
  z.object({ contractId: f.id, villageId: f.id, leaveDate: z.string() }),
  { waitsFor: "keys and meters of its rooms" },
);
