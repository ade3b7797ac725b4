import { z, type ZodRawShape } from "zod";
import type { Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { previewHash } from "../act/act.contract.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { previewReply } from "../preview/preview.contract.ts";
import { MONEY_WAYS, REST_WAYS } from "../succession/succession.rules.ts";

const seen = z.object({ version: f.version });
const stepped = z.object({ id: f.id, state: f.status("状态", ACT_STATES), version: f.version });

/** What is said of the money, and why, whatever comes after the contract. */
export const waysShape = {
  deposit: f.choice("押金处理", MONEY_WAYS).default("carry"),
  rest: f
    .choice("押金差额", REST_WAYS)
    .default("refund")
    .meta({ title: "押金差额", help: "新押金较低时，多出的部分" }),
  credit: f.choice("未用租金", MONEY_WAYS).default("carry"),
  arrearsReason: f.remark("欠费留在原合同的原因").default(""),
  reason: f.reason("原因"),
};

const oneSide = z.object({
  contract: previewReply,
  /** Bills of the contract before, as they are cut on its last day. */
  bills: z.array(
    z.object({
      id: f.id,
      billNo: f.link("账单"),
      title: f.text("名称"),
      before: f.money("原应收"),
      after: f.money("变更后"),
      credit: f.money("退回"),
    }),
  ),
  held: f.money("原押金在管"),
  deposit: f.money("新押金"),
  carried: f.money("转入押金"),
  /** Of the deposit that the new contract does not ask for: what pays its bills, and what goes back. */
  spent: f.money("押金抵扣"),
  back: f.money("退还押金"),
  credit: f.money("未用租金"),
  used: f.money("抵扣未用租金"),
  /** What is to be paid on signing once the credit is used, and what goes back. */
  due: f.money("签约应收"),
  refund: f.money("应退"),
  arrears: f.money("原合同欠费"),
  obstacles: z.array(z.object({ code: z.string(), msg: z.string() })),
  previewHash: z.string(),
});
/** What signing comes to on both sides: the new contract's bills, and what becomes of the old one's. */
export const succeedPreview = oneSide.extend({
  /** 对调: the same of the tenant who takes the other room; the hash is of both. */
  other: oneSide.extend({ roomNames: f.room("房间"), contractNo: f.text("原合同") }).nullish(),
});
export type OneSide = z.input<typeof oneSide>;
export type SucceedPreview = z.input<typeof succeedPreview>;

/** The calls of one page of contracts that come after others; `code` is its function, `confirm` who may sign. */
export function successorCalls<B extends ZodRawShape>(
  path: `/${string}`,
  {
    target,
    title,
    code,
    confirm,
    body,
  }: {
    target: string;
    title: string;
    code: number;
    confirm: Permit | readonly Permit[];
    body: z.ZodObject<B>;
  },
) {
  const calls = callsAt(path, target);
  const edit: Permit = `${code}.edit`;
  return {
    ask: calls.post("", `办理${title}`, `${code}.add`, {
      body,
      reply: stepped.extend({ actNo: z.string(), contractId: f.id, contractNo: z.string() }),
    }),
    preview: calls.post("/:id/preview", `试算${title}`, [`${code}.get`, edit], {
      effect: "read",
      body: z.object({}),
      reply: succeedPreview,
    }),
    submit: calls.post("/:id/submit", `提交${title}`, edit, {
      money: true,
      body: seen.extend({ previewHash }),
      reply: stepped,
    }),
    confirm: calls.post("/:id/confirm", `确认${title}`, confirm as Permit[], {
      money: true,
      body: seen.extend({
        previewHash,
        fileIds: f
          .ids()
          .min(1, "请上传扫描件")
          .max(20, "最多上传20个文件")
          .meta({ title: "扫描件", kind: "file" }),
        /** 对调: the papers of the other contract. */
        otherFileIds: f
          .ids()
          .max(20, "最多上传20个文件")
          .default([])
          .meta({ title: "对方合同扫描件", kind: "file" }),
        signedOn: f.dayInput("签署日期"),
      }),
      reply: stepped.extend({ bills: z.number().int() }),
    }),
    /** What the tenant asked for himself. */
    reject: calls.put("/:id/reject", `驳回${title}`, edit, {
      body: seen.extend({ reason: f.reason("驳回原因") }),
      reply: stepped,
    }),
    cancel: calls.put("/:id/cancel", `取消${title}`, edit, {
      body: seen.extend({ reason: f.reason("取消原因") }),
      reply: stepped,
    }),
  };
}
export type SuccessorCalls = ReturnType<typeof successorCalls>;

const rents = z
  .array(z.object({ roomId: f.pick("房间"), monthlyRent: f.amount("月租金") }))
  .max(2000, "一份合同最多2000间房")
  .refine(
    f.distinct((r: { roomId: number }) => r.roomId),
    "房间不能重复",
  );

export const renewalAsk = z.object({
  contractId: f.pick("合同"),
  end: f.dayInput("新到期日"),
  /** The rents of the new term; as they are on the last day where they are left out. */
  rents: rents.default([]),
  ...waysShape,
});
export type RenewalAsk = z.output<typeof renewalAsk>;

export const renewals = successorCalls("/contract/api/v3/renewal", {
  target: "renewal",
  title: "续租",
  code: 73,
  confirm: "#7301",
  body: renewalAsk,
});

export const CHANGES = {
  room: ["换房", "grey"],
  tenant: ["转租", "grey"],
} as const satisfies f.Words;

export const changeAsk = z.object({
  contractId: f.pick("原合同"),
  kind: f.choice("类型", CHANGES),
  effectiveOn: f.dayInput("生效日"),
  end: f.dayInput("新到期日").nullish(),
  /** The store of the new room, where it is another one. */
  villageId: f.pick("新房间门店").nullish(),
  roomId: f.pick("新房间").nullish(),
  monthlyRent: f.amount("新月租").nullish(),
  partyId: f.pick("新租客").nullish(),
  fee: f.amount("手续费", 0).nullish(),
  feeId: f.pick("手续费科目").nullish(),
  /** Who moves along; everybody who lives there where it is left out. */
  occupantIds: f.ids().max(50).nullish(),
  ...waysShape,
});
export type ChangeAsk = z.output<typeof changeAsk>;

export const swapAsk = z.object({
  contractId: f.pick("合同"),
  otherId: f.pick("对方合同"),
  effectiveOn: f.dayInput("生效日"),
  /** Of the first tenant in the other's room, and of the other in the first's. */
  monthlyRent: f.amount("新月租").nullish(),
  otherRent: f.amount("对方新月租").nullish(),
  deposit: waysShape.deposit,
  rest: waysShape.rest,
  credit: waysShape.credit,
  reason: waysShape.reason,
});
export type SwapAsk = z.output<typeof swapAsk>;

export const changes = successorCalls("/contract/api/v3/changeRoom", {
  target: "changeRoom",
  title: "换房",
  code: 96,
  confirm: ["#9601", "#9602"],
  body: changeAsk,
});

/** 对调: the two acts go on by the steps of either. */
export const askSwapped = callsAt("/contract/api/v3/changeRoom", "changeRoom").post(
  "/swap",
  "办理对调",
  "96.add",
  { body: swapAsk, reply: changes.ask.reply },
);
