import type { Words } from "../../../platform/kernel/field.ts";
import { ROOM_KINDS } from "../../listing/room/words.rules.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { CompanyInput } from "../company/company.contract.ts";
import type { MerchantInput } from "../merchant/merchant.contract.ts";
import { SUBJECTS, type FirmKind } from "../firm/words.rules.ts";
import { LAYOUTS, LEVELS } from "../lead/lead.rules.ts";
import { CERT_TYPES, GENDERS } from "../renter/words.rules.ts";

/** The columns of tenants; sources are what the dictionary offers, by code. */
export const renterColumns = (sources: Words): readonly ImportColumn[] => [
  { title: "姓名", key: "name", must: true, note: "2到30个字" },
  { title: "手机", key: "phone", must: true, note: "11位手机号" },
  { title: "证件类型", key: "certType", words: CERT_TYPES },
  { title: "证件号", key: "certNo", note: "与证件类型同时填写；身份证自动得出性别和生日" },
  { title: "性别", key: "gender", words: GENDERS },
  { title: "生日", key: "birthday", day: true, note: "2000-01-31" },
  { title: "来源", key: "source", must: true, words: sources },
  { title: "标签", key: "tags", list: true, note: "最多10个，用顿号分开" },
  { title: "国籍", key: "nationality" },
  { title: "邮箱", key: "email" },
  { title: "职业", key: "occupation" },
  { title: "工作单位", key: "employer" },
  { title: "紧急联系人", key: "emergencyName" },
  { title: "紧急联系电话", key: "emergencyPhone", note: "不能与本人相同" },
  { title: "关系", key: "emergencyRelation" },
  { title: "监护人", key: "guardianName", note: "未满18周岁必填" },
  { title: "监护人电话", key: "guardianPhone", note: "未满18周岁必填" },
  { title: "备注", key: "remark", note: "最多200字" },
];

const CONTACT: readonly ImportColumn[] = [
  { title: "主联系人", key: "contactName", must: true, note: "2到30个字" },
  { title: "电话", key: "contactPhone", must: true, note: "手机号或座机" },
  { title: "职位", key: "contactPosition" },
  { title: "邮箱", key: "contactEmail" },
];
const LAST: readonly ImportColumn[] = [
  { title: "标签", key: "tags", list: true, note: "最多10个，用顿号分开" },
  { title: "备注", key: "remark", note: "最多200字" },
];

/** A row that has been read as its form would send it. */
export type FirmRow = { kind: "company"; input: CompanyInput } | { kind: "merchant"; input: MerchantInput };

export const FIRM_COLUMNS: Record<FirmKind, readonly ImportColumn[]> = {
  company: [
    { title: "企业名称", key: "name", must: true, note: "2到30个字" },
    { title: "统一社会信用代码", key: "creditCode", must: true, note: "18位" },
    { title: "客户经理", key: "ownerName", must: true, note: "本企业有编辑权限的员工姓名" },
    { title: "行业", key: "industry", note: "客户字典中的行业" },
    { title: "规模", key: "scale", note: "客户字典中的规模" },
    { title: "地址", key: "address" },
    ...CONTACT,
    ...LAST,
  ],
  merchant: [
    { title: "商户名称", key: "name", must: true, note: "2到30个字" },
    { title: "主体", key: "subject", must: true, words: SUBJECTS },
    { title: "统一社会信用代码", key: "creditCode", note: "主体为公司时必填" },
    { title: "证件类型", key: "certType", words: CERT_TYPES, note: "主体为个人时必填" },
    { title: "证件号", key: "certNo", note: "主体为个人时必填" },
    { title: "业态", key: "category", must: true, note: "客户字典中的业态" },
    { title: "品牌", key: "brand" },
    { title: "法定代表人", key: "legalName" },
    { title: "地址", key: "address" },
    ...CONTACT,
    ...LAST,
  ],
};

/** The column that a wrong field of the input stands in. */
export function firmColumnOf(path: readonly PropertyKey[]): string {
  const [first, , part] = path.map(String);
  if (first === "contacts")
    return (
      { name: "contactName", phone: "contactPhone", position: "contactPosition", email: "contactEmail" }[
        part ?? "name"
      ] ?? "contactName"
    );
  return first === "ownerId" ? "ownerName" : (first ?? "name");
}

export const LEAD_COLUMNS: readonly ImportColumn[] = [
  { title: "姓名", key: "name", must: true, note: "1到30个字" },
  { title: "手机", key: "phone", must: true, note: "11位手机号，不能与在跟进的客源重复" },
  { title: "来源", key: "source", must: true, note: "客户字典中的来源渠道，如：上门" },
  { title: "渠道", key: "channelName", note: "如房源平台名称" },
  { title: "经纪人", key: "agentName", note: "来源为经纪人时必填" },
  { title: "性别", key: "gender", words: GENDERS },
  { title: "级别", key: "level", words: LEVELS },
  { title: "类型", key: "kind", words: ROOM_KINDS },
  { title: "户型", key: "layout", words: LAYOUTS },
  { title: "预算下限", key: "budgetFrom", yuan: true, note: "元/月" },
  { title: "预算上限", key: "budgetTo", yuan: true, note: "元/月" },
  { title: "入住日", key: "moveInDay", day: true, note: "2026-12-01" },
  { title: "租期", key: "termMonths", whole: true, note: "月数" },
  { title: "入住人数", key: "people", whole: true },
  { title: "标签", key: "tags", list: true, note: "最多10个，用顿号分开" },
  { title: "负责人", key: "owner", note: "员工姓名；不填进入公海" },
  { title: "备注", key: "remark", note: "最多200字" },
];
