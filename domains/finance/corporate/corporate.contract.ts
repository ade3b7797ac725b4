import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { receiptPreview } from "../flow/receive.contract.ts";
import { entryShown, momentShown } from "../journal/entry.contract.ts";
import {
  fileUpload,
  previewBody,
  statementPreview,
  takeBody,
  taken,
  undone,
} from "../statement/statement.contract.ts";
import { CLAIM_STATE } from "./claim.rules.ts";
import { LINE_STATE, type OwnKind, USE_KIND } from "./line.rules.ts";

const lines = callsAt("/billing/api/v3/bankLine", "bankLine");
const claims = callsAt("/billing/api/v3/claim", "claim");
const anId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const fen = z.coerce.number().int().optional();

/** Accounts into which transfers are claimed. */
export const CLAIMED_ACCOUNTS: Source = { ...ACCOUNTS, query: { claimed: "1" } };
/** Where money moved from between accounts of ours. */
export const BANK_ACCOUNTS: Source = { ...ACCOUNTS, query: { kinds: "bank" } };

export const lineFilter = {
  merchantAccountId: filter.by(anId.optional(), { kind: "record", title: "账户", source: CLAIMED_ACCOUNTS }),
  ...filter.between("dayFrom", "dayTo", f.dayInput("交易日期").optional(), {
    kind: "days",
    title: "交易日期",
  }),
  ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "金额" }),
  villageIds: filter.villages("认领门店"),
  keyword: filter.keyword("对方户名、账号、摘要、流水号"),
};
export const TABS = [...Object.keys(LINE_STATE), "all"] as [keyof typeof LINE_STATE | "all"];

const suggestion = z.object({
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  villageId: f.id,
  villageName: f.text("门店"),
  bills: z.array(z.object({ id: f.id, billNo: z.string() })),
  reason: f.text("依据"),
  score: f.number("匹配度"),
});
/** The settlement of a channel that a line looks like. */
const settling = z.object({ accountId: f.id, accountName: f.text("渠道账户"), reason: f.text("依据") });

/** The submission whose takings a line looks like. */
const handed = z.object({ submissionId: f.id, submissionNo: f.link("缴款单") });

export const lineRow = z.object({
  id: f.id,
  occurredAt: f.instant("交易时间"),
  day: f.day("交易日期"),
  accountId: f.id,
  accountName: f.text("账户"),
  counterName: f.text("对方户名"),
  counterAccount: f.bankCardNo("对方账号"),
  summary: f.text("摘要"),
  number: f.text("流水号"),
  amount: f.money("金额"),
  claimed: f.money("已认领"),
  reserved: f.money("审批中"),
  classified: f.money("无需认领"),
  free: f.money("未认领"),
  /** Who it may be, or which channel. */
  hint: f.text("建议"),
  suggestion: suggestion.nullable(),
  settling: settling.nullable(),
  handed: handed.nullable(),
  state: f.status("状态", LINE_STATE),
  claimNos: f.text("认领单"),
  /** Since the money came, while some of it is nobody's. */
  days: f.number("天数", { unit: "天" }).nullable(),
  version: f.version,
});
export type LineRow = z.output<typeof lineRow>;

export const listBankLines = lines.get("", "对公流水列表", "97.query", {
  query: pageQuery("day", "amount", "free").extend({
    ...lineFilter,
    tab: filter.tab(z.enum(TABS).optional(), LINE_STATE),
  }),
  reply: pageReply(lineRow, z.object({ amount: f.money("金额"), free: f.money("未认领") })),
});
export const countBankLines = lines.get("/count", "对公流水各状态笔数", "97.query", {
  query: z.object(lineFilter),
  reply: z.record(z.string(), z.number()),
});
export const exportBankLines = exportOf({
  type: "bankLine",
  title: "对公流水认领",
  needs: "97.export",
  list: listBankLines,
  personal: true,
});

const claimShown = z.object({
  id: f.id,
  claimNo: f.text("认领单号"),
  villageName: f.text("门店"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  amount: f.money("金额"),
  state: f.status("状态", CLAIM_STATE),
  claimant: f.person("提交人"),
  createdAt: f.instant("提交时间"),
  flowId: f.id.nullable(),
  flowNo: f.link("流水").nullable(),
  note: f.text("说明"),
  waitingFor: f.text("待审批人"),
  /** Submitted by the caller. */
  mine: z.boolean(),
  files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
  version: f.version,
});
export type ClaimShown = z.output<typeof claimShown>;
const useShown = z.object({
  id: f.id,
  kind: f.status("类别", USE_KIND),
  amount: f.money("金额"),
  /** The account, the days, the record that took it. */
  what: f.text("对象"),
  note: f.text("说明"),
  who: f.person("标记人"),
  createdAt: f.instant("标记时间"),
  undoneAt: f.instant("取消时间").nullable(),
});
export const getBankLine = lines.get("/:id", "对公流水详情", "97.get", {
  target: "bankLine",
  reply: lineRow.extend({
    raw: z.array(z.string()),
    statementNo: f.text("导入批次"),
    claims: z.array(claimShown),
    uses: z.array(useShown),
    entries: z.array(entryShown),
    log: z.array(momentShown),
  }),
});
export const suggestLine = lines.get("/:id/suggest", "认领建议", "97.add", {
  params: oneRecord,
  reply: z.array(suggestion),
});

export const previewBankLines = lines.post("/preview", "试读对公流水", "97.import", {
  ...fileUpload,
  effect: "read",
  body: previewBody.omit({ format: true }),
  reply: statementPreview,
});
export const importBankLines = lines.post("/import", "导入对公流水", "97.import", {
  ...fileUpload,
  money: true,
  body: takeBody.omit({ format: true }),
  reply: taken.extend({ booked: z.number(), amount: z.number(), recognised: z.number() }),
});
export const undoBankLines = lines.delete("/import/:id", "撤销导入对公流水", "97.import", {
  money: true,
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  timeout: 300_000,
  reply: undone,
});

const asked = {
  lineId: f.pick("流水"),
  villageId: f.pick("门店"),
  partyId: f.pick("客户"),
  amount: f.amount("认领金额"),
  wants: z
    .array(z.object({ billId: f.id, lineId: f.id.nullable(), amount: f.amount("本次认领") }))
    .max(500, "一次最多选择500项费用")
    .refine(f.distinct(keyOf), "同一费用不能重复选择"),
};
const claimPreview = receiptPreview.extend({
  free: f.money("流水未认领"),
  rest: f.money("认领后剩余"),
  otherPayer: z.boolean(),
});
export type ClaimPreviewShown = z.output<typeof claimPreview>;
export const previewClaim = claims.post("/preview", "试算认领", "97.add", {
  effect: "read",
  body: z.object(asked),
  reply: claimPreview,
});
export const addClaim = claims.post("", "提交认领", "97.add", {
  money: true,
  body: z.object({
    ...asked,
    restToPrepaid: f.flag("转入预存款").default(false),
    reason: f.remark("说明", 200).default(""),
    fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "证明附件", kind: "file" }),
    previewHash: f.token(),
  }),
  reply: z.object({ id: f.id, claimNo: z.string(), waiting: z.string().nullable() }),
});
/** What the drawer's form is judged by; the line, what is paid and the preview's hash are added when it is sent. */
export const claimInput = addClaim.body.pick({
  villageId: true,
  partyId: true,
  amount: true,
  restToPrepaid: true,
  reason: true,
  fileIds: true,
});
export type ClaimInput = z.input<typeof claimInput>;
export const withdrawClaim = claims.put("/:id/withdraw", "撤回认领", "97.add", {
  money: true,
  body: z.object({ version: f.version }),
  reply: z.null(),
});
export const undoClaim = claims.put("/:id/undo", "撤销认领", "#9702", {
  money: true,
  body: z.object({ version: f.version, reason: f.reason() }),
  reply: z.null(),
});

const { channelSettle, internal, refundReturn, interest, wrongTransfer } = USE_KIND;
/** What a person says of a line; takings and third parties take their money on their own pages. */
export const OWN_KIND = { channelSettle, internal, refundReturn, interest, wrongTransfer } satisfies Record<
  OwnKind,
  unknown
>;
const NEEDS: Partial<Record<OwnKind, readonly ["merchantAccountId" | "refundId" | "villageId", string]>> = {
  channelSettle: ["merchantAccountId", "请选择账户"],
  internal: ["merchantAccountId", "请选择账户"],
  refundReturn: ["refundId", "请选择退款单"],
  wrongTransfer: ["villageId", "请选择门店"],
};
export const classifyBankLine = lines.put("/:id/classify", "标记无需认领", "#9701", {
  money: true,
  body: z
    .object({
      kind: f.choice("类别", OWN_KIND),
      amount: f.amount("金额"),
      merchantAccountId: f.pick("账户").optional(),
      from: f.dayInput("结算起").optional(),
      to: f.dayInput("结算止").optional(),
      refundId: f.pick("退款单").optional(),
      villageId: f.pick("门店").optional(),
      payeeBank: f.remark("开户行", 60).default(""),
      payeeAccount: f
        .checked(
          "账号",
          optional((value) => (bankCard(value) ? "请输入正确的银行账号" : undefined)),
          {
            max: 30,
            secrecy: "bank",
          },
        )
        .default(""),
      note: f.reason("说明"),
      version: f.version,
    })
    .superRefine((body, ctx) => {
      const [key, message] = NEEDS[body.kind] ?? [];
      if (key && body[key] === undefined) ctx.addIssue({ code: "custom", path: [key], message, input: body });
      if (body.to && (!body.from || body.to < body.from))
        ctx.addIssue({ code: "custom", path: ["to"], message: "结束日期不能早于开始日期", input: body });
    }),
  reply: z.object({ id: f.id }),
});
export const unclassifyBankLine = lines.put("/:id/unclassify", "取消标记", "#9701", {
  money: true,
  body: z.object({ useId: f.pick("标记"), reason: f.reason() }),
  reply: z.null(),
});

export const returnable = lines.get("/refunds", "可登记退回的退款", "#9701", {
  query: z.object({
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    amount: z.coerce.number().int().positive().optional(),
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      refundNo: z.string(),
      payeeName: f.person("收款人"),
      amount: f.money("金额"),
      paidOn: z.string(),
    }),
  ),
});
/** Refunds that the bank paid, those of this amount first. */
export const returnableOf = (amount: number): Source => ({
  call: returnable,
  query: { amount },
  option: (r: { id: number; refundNo: string; payeeName: string; amount: number; paidOn: string }) => ({
    value: r.id,
    label: `${r.refundNo} ${r.payeeName}`,
    note: `${yuan(r.amount)}　${r.paidOn}`,
  }),
});
