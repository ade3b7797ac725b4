import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { DicCalls } from "../dic/dic.contract.ts";
import { heldOf, usedBy, type DicUses, type Uses } from "../dic/dic.service.ts";
import { addWords } from "../dic/words.service.ts";
import type { WholeImportCalls } from "../import/import.contract.ts";
import { refuseHanging, type Importer } from "../import/importer.service.ts";
import type { WholePlace } from "../import/rows.service.ts";
import { serveWholeImport } from "../import/serve.service.ts";
import { wordRows, type ImportedWord } from "./check.service.ts";

const importer = (calls: DicCalls, uses: DicUses): Importer<ImportedWord, WholePlace> => ({
  ...wordRows(calls),
  table: "dicImport",
  letters: "DZ",
  needs: `${calls.code}.import` as "58.import",
  own: { kind: calls.kind },
  whole: true,
  counter: "项",
  example: "房间标签 近地铁 颜色：绿",
  make: async (act, rows, batch) => {
    for (const [group, some] of Map.groupBy(rows, (row) => row.group))
      await addWords(
        act,
        calls.kind,
        group,
        some.map((row) => row.word),
        batch.id,
      );
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
  serveWholeImport(imported, importer(calls, uses));
