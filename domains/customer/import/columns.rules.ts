import type { Words } from "../../../platform/kernel/field.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import { CERT_TYPES, GENDERS } from "../renter/words.rules.ts";

/** The columns; sources are what the dictionary offers, by code. */
export const columnsOf = (sources: Words): readonly ImportColumn[] => [
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
