import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { WholeImportCalls } from "../import/import.contract.ts";
import { type Importer, type WholePlace, refuseHanging } from "../import/importer.service.ts";
import { eachRow } from "../import/rows.service.ts";
import { serveImport } from "../import/serve.service.ts";
import type { DicCalls } from "./dic.contract.ts";
import { CODE_TAKEN, NAME_TAKEN } from "./dic.rules.ts";
import { type DicUses, type FreshWord, type Uses, addWords, heldOf, usedBy } from "./dic.service.ts";
import { columnsOf, strayKeys } from "./import.rules.ts";

type ImportedWord = { group: string; word: FreshWord };

/** One word to a row, known by its name within its group. */
const checkWords = (calls: DicCalls) =>
  eachRow<ImportedWord, WholePlace>({
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

const importer = (calls: DicCalls, uses: DicUses): Importer<ImportedWord[], WholePlace> => ({
  things: "字典项",
  columns: async () => columnsOf(calls.kind),
  check: checkWords(calls),
  table: "dicImport",
  letters: "DZ",
  needs: `${calls.code}.import` as "58.import",
  own: { kind: calls.kind },
  whose: "enterprise",
  counter: "项",
  template: { example: "房间标签 近地铁 颜色：绿" },
  make: async (act, rows, batch) => {
    for (const [group, some] of Map.groupBy(rows, (row) => row.group))
      await addWords(
        act,
        calls.kind,
        group,
        some.map((row) => row.word),
        batch.id,
      );
    return rows.length;
  },
  remove: (act, { id }) => removeWords(act, calls, uses, id),
});

/** Takes away the words of a batch that still stand, or refuses while one of them is used. */
async function removeWords(act: Act, { kind }: DicCalls, uses: DicUses, importId: number): Promise<number> {
  const words = await act.tx
    .selectFrom("dicItem")
    .select(["id", "groupKey", "code", "name"])
    .where("importId", "=", importId)
    .orderBy("id")
    .forUpdate()
    .execute();
  const counts = new Map<string, Uses | undefined>();
  for (const group of new Set(words.map((word) => word.groupKey)))
    counts.set(group, await uses.count(act, group));
  refuseHanging(
    words.map((word) => {
      const used = usedBy(counts.get(word.groupKey), heldOf(kind, word));
      return { name: word.name, why: used ? `（${used} 处）` : null };
    }),
    (count) => `${count} 个字典项已被使用，`,
  );
  await act.tx.deleteFrom("dicItem").where("importId", "=", importId).execute();
  return words.length;
}

/** The handlers of the import of a dictionary; `uses` comes from the domain whose records hold the words. */
export const serveWords = (calls: DicCalls, imported: WholeImportCalls, uses: DicUses) =>
  serveImport(imported, importer(calls, uses));
