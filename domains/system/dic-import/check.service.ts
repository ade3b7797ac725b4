import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { DicCalls } from "../dic/dic.contract.ts";
import { CODE_TAKEN, NAME_TAKEN } from "../dic/dic.rules.ts";
import type { FreshWord } from "../dic/words.service.ts";
import type { Rows, WholePlace } from "../import/rows.service.ts";
import { columnsOf, strayKeys } from "./columns.rules.ts";

export type ImportedWord = { group: string; word: FreshWord };

/** One word to a row, known by its name within its group. */
export const wordRows = (calls: DicCalls): Rows<ImportedWord, WholePlace> => ({
  things: "字典项",
  columns: async () => columnsOf(calls.kind),
  judge: async (read, { enterpriseId }) => {
    const codes = await keysOf(read, calls, enterpriseId, "code");
    return ({ typed, say, as }) => {
      const group = String(typed["group"] ?? "");
      for (const key of strayKeys(calls.kind, group, typed)) say(key, "该分组没有这一项，请留空");
      const row = as(calls.add.body, { ...typed, photo: typed["photo"] === "true" });
      if (!row) return { row: undefined };
      const { group: of, ...word } = row;
      const code = `${of} ${word.code}`;
      if (word.code && codes.has(code)) say("code", CODE_TAKEN);
      codes.add(code);
      return { row: { group: of, word }, unique: { key: "name", value: `${of} ${word.name}` } };
    };
  },
  taken: async (read, { enterpriseId }, uniques) => {
    const names = await keysOf(read, calls, enterpriseId, "name");
    return new Map(uniques.filter(({ value }) => names.has(value)).map(({ value }) => [value, NAME_TAKEN]));
  },
});

/** The names or codes that stand in a dictionary, each behind its group. */
async function keysOf(read: Read, { kind }: DicCalls, enterpriseId: number, key: "name" | "code") {
  const rows = await read.tx
    .selectFrom("dicItem")
    .select(["groupKey", `${key} as word`])
    .where("enterpriseId", "=", enterpriseId)
    .where("kind", "=", kind)
    .execute();
  return new Set(rows.map((row) => `${row.groupKey} ${row.word}`));
}
