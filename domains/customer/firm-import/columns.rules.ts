import type { ImportColumn } from "../../system/import/import.rules.ts";
import { SUBJECTS, type FirmKind } from "../firm/words.rules.ts";
import { CERT_TYPES } from "../renter/words.rules.ts";

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
export function columnOf(path: readonly PropertyKey[]): string {
  const [first, , part] = path.map(String);
  if (first === "contacts")
    return (
      { name: "contactName", phone: "contactPhone", position: "contactPosition", email: "contactEmail" }[
        part ?? "name"
      ] ?? "contactName"
    );
  return first === "ownerId" ? "ownerName" : (first ?? "name");
}
