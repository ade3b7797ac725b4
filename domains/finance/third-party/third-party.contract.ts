import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { momentShown } from "../journal/entry.contract.ts";
import { percentOf } from "../bill-acts/acts.contract.ts";
import { SHARE_MODE, termsRefusal } from "./share.rules.ts";
import { PARTNER_KIND } from "./third-party.rules.ts";

const PATH = "/billing/api/v3/thirdParty";
const partners = recordCalls({ path: PATH, code: 252, title: "合作方", target: "thirdParty" });
const special = callsAt(PATH, "thirdParty");

const taxRate = z
  .string({ error: "请输入税率" })
  .regex(/^\d{1,2}(\.\d{1,2})?$/, "税率须在0到99.99之间，最多两位小数")
  .default("0")
  .meta({ title: "税率", kind: "text", decimal: true, unit: "%", help: "分成为含税金额，不征税填0" });

const band = z.object({
  upTo: f.amount("上限").nullable().default(null),
  percent: percentOf("比例"),
});
const terms = {
  shareMode: f.choice("分成方式", SHARE_MODE).default("percent"),
  percent: percentOf("分成比例").nullish(),
  amount: f.amount("固定或保底金额").nullish(),
  bands: z.array(band).max(10, "最多10个档位").default([]).meta({ title: "档位", kind: "text" }),
  taxRate,
};
type TermsTyped = z.output<z.ZodObject<typeof terms>>;
const fitting = (typed: TermsTyped, ctx: z.RefinementCtx) => {
  const wrong = termsRefusal(typed);
  if (wrong) ctx.addIssue({ code: "custom", path: wrong.path, message: wrong.msg, input: typed });
};

const termsShown = z.object({
  id: f.id,
  fromMonth: f.month("起始月"),
  shareMode: f.status("分成方式", SHARE_MODE),
  terms: f.text("分成条款"),
  tax: f.text("税率"),
  createdAt: f.instant("登记时间"),
});

export const partnerRow = z.object({
  id: f.id,
  name: f.link("合作方"),
  kind: f.status("类型", PARTNER_KIND),
  villageIds: z.array(f.id),
  villageNames: f.text("门店"),
  terms: f.text("当前分成条款"),
  contact: f.text("联系方式"),
  startDate: f.day("协议起"),
  endDate: f.day("协议止").nullable(),
  state: f.status("状态", SWITCHED),
  /** It covers stores outside the reader's scope: read only. */
  beyond: z.boolean(),
  version: f.version,
});
export type PartnerRow = z.output<typeof partnerRow>;

export const listPartners = partners.list(
  pageQuery("name").extend({
    villageIds: filter.villages(),
    kind: filter.choices("类型", PARTNER_KIND),
    state: filter.choice("状态", SWITCHED),
    ids: idList,
    keyword: filter.keyword("合作方名称、联系方式"),
  }),
  partnerRow,
);
export const exportPartners = partners.export(listPartners);

/** Partners, to filter by and to choose from. */
export const PARTNERS: filter.Source = {
  call: listPartners,
  query: { want: "rows" },
  option: (p: { id: number; name: string; villageNames: string }) => ({
    value: p.id,
    label: p.name,
    note: p.villageNames,
  }),
};

export const getPartner = partners.get(
  partnerRow.extend({
    history: z.array(termsShown),
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
    log: z.array(momentShown),
  }),
);

const agreed = {
  name: f.input("合作方名称", 2, 30),
  kind: f.choice("类型", PARTNER_KIND),
  villageIds: f.ids().min(1, "请选择门店").max(500, "门店过多").meta({ title: "门店", kind: "text" }),
  startDate: f.dayInput("协议起"),
  endDate: f.dayInput("协议止").nullish(),
  contact: f.remark("联系方式", 60).default(""),
  fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "合作协议", kind: "file" }),
};
const inOrder = (
  { startDate, endDate }: { startDate: string; endDate?: string | null | undefined },
  ctx: z.RefinementCtx,
) => {
  if (endDate && endDate < startDate)
    ctx.addIssue({ code: "custom", path: ["endDate"], message: "协议止不能早于协议起" });
};

/** A partner with the terms that hold from the first month of the agreement on. */
export const addPartner = partners.add(
  z.object({ ...agreed, ...terms }).superRefine((typed, ctx) => {
    fitting(typed, ctx);
    inOrder(typed, ctx);
  }),
);
export type NewPartner = z.output<typeof addPartner.body>;

export const editPartner = partners.edit(z.object(agreed).superRefine(inOrder));
export type PartnerEdit = z.output<typeof editPartner.body>;
export const enablePartner = partners.enable();
export const disablePartner = partners.disable();

/** New terms from a month on; what is confirmed stays as it was shared. */
export const addTerms = special.post("/:id/terms", "变更合作方分成条款", "252.edit", {
  body: z.object({ fromMonth: f.monthInput("起始月"), ...terms, version: f.version }).superRefine(fitting),
  reply: z.object({ id: f.id, redone: z.number().int() }),
});
export type NewTerms = z.output<typeof addTerms.body>;
