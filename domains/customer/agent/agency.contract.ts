import { z } from "zod";
import { creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { bankCard, mobileOrLandline } from "../../../platform/kernel/texts/contact.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord, recordCalls, callsAt } from "../../../platform/kernel/records.ts";
import { ENABLED } from "./agent.rules.ts";

/** Where an agency or an agent is paid to; all of it or nothing. */
export const bankFields = {
  bankHolder: f.remark("户名", 50).default(""),
  bankName: f.remark("开户银行", 30).default(""),
  bankBranch: f.remark("开户支行", 50).default(""),
  bankNo: f.checked("银行账号", bankCard, { max: 30, secrecy: "bank" }).nullish(),
};

type Bank = { bankHolder: string; bankName: string; bankNo?: string | null | undefined };

/** A number needs its holder and its bank. */
export function bankTogether(bank: Bank, ctx: z.RefinementCtx): void {
  if (!bank.bankNo) return;
  if ([...bank.bankHolder].length < 2)
    ctx.addIssue({ code: "custom", path: ["bankHolder"], message: "户名长度为2到50个字" });
  if (!bank.bankName) ctx.addIssue({ code: "custom", path: ["bankName"], message: "请输入开户银行" });
}

export const bankShown = {
  bankHolder: f.text("户名"),
  bankName: f.text("开户银行"),
  bankBranch: f.text("开户支行"),
  bankNo: f.bankCardNo("银行账号"),
};

const BASE = "/customer/api/v3/agency";
const agencies = callsAt(BASE, "agency");

export const agencyId = oneRecord;
export const villagesInput = z
  .array(f.id, { error: "请选择门店" })
  .min(1, "请选择门店")
  .max(500)
  .meta({ title: "门店", kind: "text" });

const fields = z.object({
  name: f.checked("机构名称", nameOf("机构名称"), { max: 30 }),
  creditCode: f.checked("信用代码", creditCode).nullish(),
  contact: f.remark("联系人", 30).default(""),
  phone: f.checked("电话", mobileOrLandline, { kind: "phone" }),
  villageIds: villagesInput,
  fromDay: f.dayInput("合作开始"),
  toDay: f.dayInput("合作结束").nullish(),
  ruleId: f.pick("佣金规则"),
  ...bankFields,
  fileIds: z.array(f.id).max(10, "附件最多10个").default([]).meta({ title: "附件", kind: "file" }),
});
type Together = Parameters<typeof bankTogether>[0] & { fromDay: string; toDay?: string | null | undefined };
const together = (agency: Together, ctx: z.RefinementCtx) => {
  bankTogether(agency, ctx);
  if (agency.toDay && agency.toDay < agency.fromDay)
    ctx.addIssue({ code: "custom", path: ["toDay"], message: "合作结束不能早于合作开始" });
};
export const agencyInput = fields.superRefine(together);
export type AgencyInput = z.output<typeof agencyInput>;
/** Numbers that are shown masked stay as they are when they are left out. */
const edit = fields
  .extend({ phone: fields.shape.phone.optional(), version: f.version })
  .superRefine(together);
export type AgencyEdit = z.output<typeof edit>;

const row = z.object({
  id: f.id,
  name: f.link("机构名称"),
  contact: f.person("联系人"),
  phone: f.phone("电话"),
  villageNames: f.text("门店"),
  ruleId: f.id,
  ruleName: f.link("佣金规则"),
  fromDay: f.day("合作开始"),
  toDay: f.day("合作结束").nullable(),
  agents: f.number("经纪人", { unit: "人" }),
  owed: f.money("待结佣金"),
  paid: f.money("已付佣金"),
  state: f.status("状态", ENABLED),
  version: f.version,
});
export type AgencyRow = z.output<typeof row>;

export const listAgencies = agencies.get("", "中介机构列表", "115.query", {
  query: pageQuery("createdAt", "name", "owed", "paid").extend({
    villageIds: filter.villages(),
    state: filter.choice("状态", ENABLED),
    ruleId: z.coerce.number().pipe(f.id).optional(),
    ids: idList,
    keyword: filter.keyword("名称、联系人、电话"),
  }),
  reply: pageReply(row, z.object({ owed: f.money("待结佣金"), paid: f.money("已付佣金") })),
});

export const AGENCIES: filter.Source = {
  call: listAgencies,
  query: { state: "enabled", want: "rows" },
  option: (a: { id: number; name: string }) => ({ value: a.id, label: a.name }),
};

export const exportAgencies = exportOf({
  type: "agency",
  title: "中介机构",
  needs: "115.export",
  list: listAgencies,
  personal: true,
});

export const getAgency = agencies.get("/:id", "中介机构详情", "115.get", {
  target: "agency",
  reply: row.extend({
    creditCode: f.text("信用代码"),
    villageIds: z.array(f.id),
    ...bankShown,
    files: z.array(z.object({ id: f.id, name: z.string(), type: z.string(), size: z.number() })),
  }),
});

const family = recordCalls({ path: BASE, code: 115, title: "中介机构", target: "agency" });

export const addAgency = family.add(agencyInput);

export const editAgency = agencies.put("/:id", "编辑中介机构", "115.edit", { body: edit, reply: z.null() });

export const enableAgency = family.enable({ reply: z.null() });
export const disableAgency = family.disable({ reply: z.null() });
export const deleteAgency = family.delete();

export const revealAgency = agencies.post("/:id/reveal", "查看中介机构完整信息", "#11501", {
  body: z.object({ field: z.enum(["phone", "bankNo"]), reason: f.reason("查看原因") }),
  reply: z.object({ value: f.wholeNumber("完整号码") }),
});
