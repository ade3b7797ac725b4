import type { Words } from "../../../platform/kernel/field.ts";
import type { ImportColumn } from "../import/import.rules.ts";
import { DIC_COLOURS, type DicKind, groupsOf } from "./dic.rules.ts";

const YES_NO = { true: ["是", "green"], false: ["否", "grey"] } as const satisfies Words;

const groupWords = (kind: DicKind): Words =>
  Object.fromEntries(
    Object.entries(groupsOf(kind)).map(([key, { title }]) => [key, [title, "grey"] as const]),
  );

/** What stands in a spreadsheet of words; a group knows only some of it. */
export const columnsOf = (kind: DicKind): readonly ImportColumn[] => [
  { title: "分组", key: "group", must: true, words: groupWords(kind) },
  { title: "名称", key: "name", must: true, note: "1到20个字，同一分组下不能重复" },
  { title: "编码", key: "code", note: "字母或数字，留空自动生成" },
  { title: "颜色", key: "colour", words: DIC_COLOURS, note: "只用于标签" },
  { title: "提示", key: "hint", note: "只用于保洁清单" },
  { title: "须拍照", key: "photo", words: YES_NO, note: "只用于保洁清单" },
];

/** Columns that mean nothing to the group of a row, so that nobody types in vain. */
export function strayKeys(kind: DicKind, group: string, typed: Readonly<Record<string, unknown>>): string[] {
  const extra = groupsOf(kind)[group]?.extra;
  return [
    ...(extra === "colour" ? [] : ["colour"]),
    ...(extra === "cleaning" ? [] : ["hint", "photo"]),
  ].filter((key) => typed[key] !== undefined);
}
