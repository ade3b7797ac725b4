import type { Words } from "../../../platform/kernel/field.ts";
import { CERT_TYPES, GENDERS, SOURCES } from "../renter/words.rules.ts";

/** A column of the spreadsheet and the field it fills. */
export type ImportColumn = {
  header: string;
  field: string;
  must?: boolean;
  words?: Words;
  day?: boolean;
  /** 、 or , between several. */
  list?: boolean;
  note?: string;
};

export const COLUMNS: readonly ImportColumn[] = [
  { header: "姓名", field: "name", must: true, note: "2到30个字" },
  { header: "手机", field: "phone", must: true, note: "11位手机号" },
  { header: "证件类型", field: "certType", words: CERT_TYPES },
  { header: "证件号", field: "certNo", note: "与证件类型同时填写；身份证自动得出性别和生日" },
  { header: "性别", field: "gender", words: GENDERS },
  { header: "生日", field: "birthday", day: true, note: "2000-01-31" },
  { header: "来源", field: "source", must: true, words: SOURCES },
  { header: "标签", field: "tags", list: true, note: "最多10个，用顿号分开" },
  { header: "国籍", field: "nationality" },
  { header: "邮箱", field: "email" },
  { header: "职业", field: "occupation" },
  { header: "工作单位", field: "employer" },
  { header: "紧急联系人", field: "emergencyName" },
  { header: "紧急联系电话", field: "emergencyPhone", note: "不能与本人相同" },
  { header: "关系", field: "emergencyRelation" },
  { header: "监护人", field: "guardianName", note: "未满18周岁必填" },
  { header: "监护人电话", field: "guardianPhone", note: "未满18周岁必填" },
  { header: "备注", field: "remark", note: "最多200字" },
];

export const SHEET = "租客";
/** Most rows of one file. */
export const MOST_ROWS = 5000;
/** Most errors that are kept and shown. */
export const MOST_ERRORS = 2000;

export type CellError = { row: number; column: string; header: string; value: string; msg: string };

/** What stands in a cell as the field wants it; a sentence when a word is not one of the choices. */
export function valueOf(column: ImportColumn, text: string): { value: unknown } | { msg: string } {
  const typed = text.trim();
  if (!typed) return { value: undefined };
  if (column.words) {
    const key = Object.keys(column.words).find((k) => column.words![k]![0] === typed);
    if (key) return { value: key };
    return {
      msg: `${column.header}应为：${Object.values(column.words)
        .map(([word]) => word)
        .join("、")}`,
    };
  }
  if (column.day)
    return {
      value: typed
        .replace(/[/.年月]/g, "-")
        .replace(/日$/, "")
        .replace(/-(\d)(?=-|$)/g, "-0$1"),
    };
  if (column.list) return { value: typed.split(/[、,，;；\s]+/).filter(Boolean) };
  return { value: typed };
}
