import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { refineLast } from "../../../platform/kernel/fields/refinements.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { previewHash } from "../act/act.contract.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { STATES } from "../contract/contract.rules.ts";
import { last4, linked, token } from "../esign/open.contract.ts";
import { MONEY_WAYS } from "../succession/succession.rules.ts";
import { renewalAsk, succeedPreview } from "../successor/successor.contract.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";
import { ROUNDING_WORDS } from "../terms/terms.contract.ts";
import {
  HEARD_INTENTS,
  INTENTS,
  LEFT,
  OFFER_STATES,
  RENEWAL_STATES,
  RISE_WAYS,
  type RenewalTab,
  TABS,
} from "./renewal.rules.ts";

const PATH = "/contract/api/v3/renewal";
const words = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];

export const renewalFilter = z.object({
  villageIds: filter.villages(),
  tab: filter.tab(z.enum(words(TABS)).default("due"), TABS),
  ...filter.between("endFrom", "endTo", f.dayInput("到期日").optional(), { kind: "days", title: "到期日" }),
  left: filter.choice("剩余天数", LEFT),
  intent: filter.choice("意向", INTENTS),
  offer: filter.choice("续租方案", OFFER_STATES),
  managerId: filter.record("管家", PEOPLE),
  owing: filter.by(z.enum(["true", "false"]).optional(), { kind: "flag", title: "是否欠费" }),
  keyword: filter.keyword("合同号、续租单号、租客、手机号、房间"),
});

const row = z.object({
  /** Of the contract that ends. */
  id: f.id,
  contractNo: f.link("合同号"),
  kind: z.enum(CONTRACT_KINDS),
  contractState: z.enum(words(STATES)),
  villageId: f.id,
  villageName: f.text("门店"),
  roomNames: f.room("房间"),
  partyId: f.id,
  partyName: f.person("租客"),
  endDate: f.day("到期日"),
  daysLeft: f.number("剩余", { unit: "天" }),
  rent: f.money("现月租"),
  listPrice: f.money("标价").nullable(),
  intent: f.status("意向状态", INTENTS),
  followNote: f.text("跟进记录"),
  followedAt: f.instant("上次跟进").nullable(),
  nextOn: f.day("下次跟进").nullable(),
  overdue: f.money("欠费"),
  depositHeld: f.money("押金在管"),
  /** The renewal, and the contract that it leads to. */
  actId: f.id.nullable(),
  actNo: f.link("续租单号").nullable(),
  actVersion: f.version.nullable(),
  /** How long the tenant asked to stay, while nobody has taken it up. */
  wanted: f.number("申请续租", { unit: "个月" }).nullable(),
  newId: f.id.nullable(),
  newStart: f.day("新起租日").nullable(),
  newEnd: f.day("新到期日").nullable(),
  newRent: f.money("新月租").nullable(),
  rise: f.percent("涨幅").nullable(),
  state: f.status("状态", RENEWAL_STATES),
  offerId: f.id.nullable(),
  offerState: f.status("方案状态", OFFER_STATES).nullable(),
  managerName: f.person("管家"),
  nextId: f.id.nullable(),
  openActNo: z.string().nullable(),
  windowDays: f.number("可续租期", { unit: "天" }),
  /** Nothing overdue may be left: a setting of the store. */
  needsPaid: z.boolean(),
});
export type RenewalRow = z.output<typeof row>;

const family = recordCalls({ path: PATH, code: 73, title: "续租申请", target: "renewal" });
export const listRenewals = family.list(
  pageQuery("endDate", "followedAt", "rent").extend(renewalFilter.shape),
  row,
  {
    sums: z.object({
      rent: f.money("现月租"),
      newRent: f.money("新月租"),
      /** Of the contracts that end in the days asked for, this month where none are. */
      ended: f.number("到期份数"),
      renewed: f.number("已续份数"),
      rate: f.percent("续租率").nullable(),
      /** Of the contracts shown: how many were sent an offer, opened one, answered one. */
      offered: f.number("已发方案"),
      opened: f.number("已打开方案"),
      answered: f.number("已答复方案"),
    }),
  },
);
export const exportRenewals = family.export(listRenewals, { personal: true });

const renewals = callsAt(PATH, "renewal");
export const countRenewals = renewals.get("/counts", "续租申请各状态数量", "73.query", {
  query: renewalFilter.omit({ tab: true }),
  reply: z.object(
    Object.fromEntries(words(TABS).map((tab) => [tab, z.number().int()])) as Record<RenewalTab, z.ZodNumber>,
  ),
});

const choiceRow = z.object({
  months: f.number("租期", { unit: "个月" }),
  start: f.day("起租日"),
  end: f.day("到期日"),
  rent: f.money("月租金"),
  /** What is paid on signing, with what is still missing of the deposit. */
  first: f.money("签约应付"),
  deposit: f.money("补交押金"),
});

/** The contract that ends with its rooms and its offers. */
export const getRenewal = renewals.get("/desk/:id", "续租详情", ["73.get", "73.add"], {
  reply: row.extend({
    today: f.day("今天"),
    /** The tenant's own words, while his request waits. */
    asked: f.text("租客申请"),
    startDate: f.day("起租日"),
    rooms: z.array(
      z.object({
        roomId: f.id,
        name: f.room("房间"),
        rent: f.money("现月租"),
        listPrice: f.money("标价").nullable(),
      }),
    ),
    offers: z.array(
      z.object({
        id: f.id,
        state: f.status("状态", OFFER_STATES),
        choices: z.array(choiceRow),
        choice: z.number().int().nullable(),
        answer: f.text("答复"),
        expiresAt: f.instant("有效至"),
        openedAt: f.instant("打开时间").nullable(),
        answeredAt: f.instant("答复时间").nullable(),
        createdAt: f.instant("发送时间"),
        createdBy: f.person("发送人"),
      }),
    ),
  }),
});

export const followRenewal = renewals.post("/desk/:id/follow", "登记续租跟进", "73.edit", {
  body: z.object({
    intent: f.choice("意向", HEARD_INTENTS),
    note: f.reason("跟进记录"),
    nextOn: f.dayInput("下次跟进").nullish(),
  }),
  reply: z.object({ id: f.id }),
});

/** The tenant leaves at the end: a settlement is asked for, where the end is near enough for one. */
export const declineRenewal = renewals.post("/desk/:id/decline", "登记不续租", "73.edit", {
  body: z.object({ reason: f.reason("不续租原因") }),
  reply: z.object({ id: f.id, actNo: z.string().nullable() }),
});

/** How a batch sets the rents of each room of a contract. */
const rise = z.object({
  way: f.choice("新租金", RISE_WAYS),
  /** Percent, or yuan a month for each room. */
  value: z
    .string()
    .regex(/^-?\d{1,7}(\.\d{1,2})?$/, "请输入正确的调整幅度（最多两位小数）")
    .default("0")
    .meta({ title: "调整幅度", kind: "text", decimal: true }),
  rounding: f.choice("取整", ROUNDING_WORDS),
});
const within = (r: z.output<typeof rise>) =>
  r.way !== "percent" || (Number(r.value) >= -50 && Number(r.value) <= 200);
const BEYOND = { error: "比例须在-50%到200%之间", path: ["value"] };
export const riseShape = rise.refine(within, BEYOND);
/** The rule of a batch as it is typed. */
export const batchRule = refineLast(
  rise
    .extend({
      months: f.whole("租期", 1, 60, { unit: "个月" }),
      deposit: f.choice("押金处理", MONEY_WAYS),
      reason: f.reason("原因"),
    })
    .refine(within, BEYOND),
);

const rentsOfRooms = z.array(z.object({ roomId: f.id, monthlyRent: f.money("月租金") }));

/** What renewals would come to; nothing is drawn. */
export const weighRenewals = renewals.post("/weigh", "试算续租", "73.add", {
  effect: "read",
  timeout: 60_000,
  body: z.object({
    rows: z
      .array(renewalAsk.extend({ rise: riseShape.nullish() }))
      .min(1, "请选择合同")
      .max(20, "一次最多试算20份")
      .refine(
        f.distinct((r: { contractId: number }) => r.contractId),
        "同一份合同不能重复",
      ),
  }),
  reply: z.object({
    rows: z.array(
      z.object({
        contractId: f.id,
        /** Why it cannot be renewed so. */
        refusal: z.string().nullable(),
        /** The new rents, as they were sent or as the rule makes them. */
        rents: rentsOfRooms,
        preview: succeedPreview.nullable(),
      }),
    ),
  }),
});

/** Asked for and handed in at once, as it was shown: a row of a batch. */
export const handInRenewal = renewals.post("/handIn", "办理并提交续租", "73.add", {
  money: true,
  timeout: 60_000,
  body: renewalAsk.extend({ previewHash }),
  reply: z.object({
    id: f.id,
    actNo: z.string(),
    contractId: f.id,
    contractNo: z.string(),
    state: f.status("状态", ACT_STATES),
    version: f.version,
  }),
});

/** Each contract for itself: what stands in the way of one leaves the others. */
export const inviteRenewals = renewals.post("/invite", "发送续租邀请", "73.edit", {
  body: z.object({ ids: f.ids().min(1, "请选择合同").max(200, "一次最多处理200份") }),
  reply: z.object({
    sent: z.number().int(),
    rows: z.array(
      z.object({
        id: f.id,
        contractNo: f.text("合同号"),
        partyName: f.text("租客"),
        /** Null: sent. */
        refusal: z.string().nullable(),
      }),
    ),
  }),
});

/** A link goes to the tenant by text message; it leads to the terms that can be chosen from. */
export const sendOffer = renewals.post("/offer", "发送续租方案", "73.edit", {
  timeout: 60_000,
  body: z.object({
    contractId: f.pick("合同"),
    choices: z
      .array(
        z.object({
          months: f.whole("租期", 1, 60, { unit: "个月" }),
          monthlyRent: f.amount("月租金"),
        }),
      )
      .min(1, "请至少填写一个方案")
      .max(3, "最多3个方案")
      .refine(
        f.distinct((c: { months: number }) => c.months),
        "每个租期只能有一个方案",
      ),
  }),
  reply: z.object({
    id: f.id,
    phone: f.phone("手机号"),
    expiresAt: f.instant("有效至"),
    /** Shown once: the tenant may scan it at the desk. */
    path: f.secret(z.string()),
  }),
});

export const withdrawOffer = renewals.put("/offer/:id/withdraw", "撤回续租方案", "73.edit", {
  body: z.object({ reason: f.reason("撤回原因") }),
  reply: z.object({ id: f.id }),
});

// ---- what a tenant sends, without a login -------------------------------------------------------
const open = callsAt("/contract/api/v3/esign/o", "renewal");
const code = { params: token };

/** What anybody with the link may know. */
export const readOffer = open.get("/:token", "打开续租方案链接", "public", {
  ...code,
  perMinute: 60,
  reply: linked.omit({ lockedMinutes: true }).extend({
    /** Masked. */
    name: z.string(),
    answered: z.boolean(),
  }),
});

const answered = z.object({
  /** The signing of what was chosen, where it has begun. */
  signPath: f.secret(z.string()).nullable(),
  text: z.string(),
});
export const openOffer = open.post("/:token/open", "查看续租方案", "public", {
  ...code,
  perMinute: 20,
  body: z.object({ last4 }),
  /** Of one that was answered only that is left once it has run out. */
  reply: z
    .object({
      roomNames: z.string(),
      end: f.day("到期日"),
      rent: f.money("现月租"),
      held: f.money("在管押金"),
      expiresAt: f.instant("有效至"),
      choices: z.array(choiceRow),
    })
    .partial()
    .extend({
      /** What came of it, where it was answered. */
      result: answered.nullable(),
    }),
});

export const chooseOffer = open.post("/:token/choose", "选择续租方案", "public", {
  ...code,
  perMinute: 20,
  timeout: 120_000,
  body: z.object({ last4, choice: z.number().int().min(0).max(2) }),
  reply: answered,
});

export const declineOffer = open.post("/:token/decline", "答复不续租", "public", {
  ...code,
  perMinute: 20,
  body: z.object({ last4, reason: f.reason("原因") }),
  reply: answered,
});
