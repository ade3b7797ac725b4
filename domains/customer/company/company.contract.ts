import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { companyName } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { frozenShape } from "../../approval/examine/examine.contract.ts";
import { contactList } from "../../party/contact/contact.contract.ts";
import { ARREARS_HELP, firmCalls, firmDetail, firmRow, firmTyped, tagFilter } from "../firm/firm.contract.ts";
import { FIRM_STAGES } from "../firm/words.rules.ts";
import { YES_NO_ARREARS } from "../renter/words.rules.ts";

export const companyCalls = firmCalls("company", 113);
const { base } = companyCalls;
const companies = callsAt(base, "company");
const OVER = { over: ["超出额度", "red"] } as const;

export const companyRow = z.object({
  id: f.id,
  name: f.text("企业名称"),
  creditCode: f.text("信用代码"),
  contactName: f.person("主联系人"),
  phone: f.phone("电话"),
  ownerId: f.id,
  ownerName: f.person("客户经理"),
  stage: f.status("阶段", FIRM_STAGES),
  rooms: f.number("在租房间", { unit: "间" }),
  roomNames: f.room("房间"),
  occupants: f.number("入住人数", { unit: "人" }),
  capacity: f.number("可住人数", { unit: "人" }),
  occupancy: f.progress("入住 / 可住").nullable(),
  monthlyRent: f.money("月租合计"),
  creditDays: f.number("账期", { unit: "天" }),
  creditLimit: f.money("授信额度", { help: "空为不限" }).nullable(),
  creditUsed: f.money("已用额度", { help: "该企业全部门店已出账未收的合计" }),
  creditShare: f.progress("授信使用").nullable(),
  arrears: f.money("欠费", { help: ARREARS_HELP }),
  endDate: f.day("最近到期").nullable(),
  industry: f.text("行业"),
  ...firmRow,
  approving: f.flag("审批中"),
  version: f.version,
});

export const listCompanies = companies.get("", "企业客户列表", "113.query", {
  query: pageQuery("createdAt", "name", "monthlyRent", "arrears", "endDate").extend({
    villageIds: filter.villages(),
    stage: filter.choices("阶段", FIRM_STAGES),
    industry: filter.by(z.string().max(20).optional(), {
      kind: "choice",
      title: "行业",
      dic: ["customer", "industry"],
    }),
    /** The page offers those who may look after one. */
    ownerId: filter.by(z.coerce.number().pipe(f.id).optional(), {
      kind: "choice",
      title: "客户经理",
      source: PEOPLE,
    }),
    credit: filter.by(z.literal("over").optional(), { kind: "choice", title: "授信", words: OVER }),
    arrears: filter.choice("欠费", YES_NO_ARREARS),
    tags: tagFilter,
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "企业名称、完整信用代码、联系人",
    }),
  }),
  reply: pageReply(
    companyRow,
    z.object({
      rooms: f.number("在租房间"),
      monthlyRent: f.money("月租合计"),
      arrears: f.money("欠费"),
    }),
  ),
});

export const exportCompanies = exportOf({
  type: "company",
  title: "企业客户",
  needs: "113.export",
  list: listCompanies,
  personal: true,
});

/** Words and people that the form and the filters offer. */
export const companyWords = companies.get("/words", "企业客户选项", ["113.query", "113.add"], {
  reply: z.object({
    industries: z.array(z.string()),
    scales: z.array(z.string()),
    tags: z.array(z.string()),
    owners: z.array(z.object({ id: f.id, name: z.string() })),
  }),
});

const typed = z.object({
  // kept as typed: a blank at either end is told, not cut off in silence
  name: f.checked("企业名称", companyName, { keepSpaces: true, max: 30 }),
  creditCode: f.checked("统一社会信用代码", creditCode, { max: 18 }),
  industry: f.remark("行业", 20).default(""),
  scale: f.remark("规模", 20).default(""),
  address: f.remark("地址", 100).default(""),
  ownerId: f.pick("客户经理"),
  ...firmTyped,
});

export const companyInput = typed.extend({ contacts: contactList });
export type CompanyInput = z.output<typeof companyInput>;
export type CompanyFields = z.output<typeof typed>;

export const addCompany = companies.post("", "新增企业客户", "113.add", {
  body: companyInput,
  reply: z.object({ id: f.id }),
});

export const editCompany = companies.put("/:id", "编辑企业客户", "113.edit", {
  beyondVillages: true,
  body: typed.extend({ version: f.version }),
  reply: z.object({ id: f.id }),
});

/** Days and limit; waits for approval where the villages ask for it. */
export const setCredit = companies.put("/:id/credit", "调整账期与授信额度", "#11302", {
  body: z.object({
    creditDays: f.whole("账期", 0, 365, { unit: "天" }),
    creditLimit: f.amount("授信额度", 0).nullish(),
    version: f.version,
    reason: f.reason(),
  }),
  reply: z.object({ examineId: f.id.nullable() }),
});

export const getCompany = companies.get("/:id", "企业客户详情", "113.get", {
  target: "company",
  reply: companyRow.extend({
    scale: f.text("规模"),
    ...firmDetail,
    frozen: frozenShape.nullable(),
  }),
});
