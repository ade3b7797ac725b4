import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import {
  batchFor,
  keepBatch,
  moveBatch,
  storeSheet,
  takenBefore,
  type Batches,
} from "../../system/import/batch.service.ts";
import { CODES, type Code } from "../overview/overview.rules.ts";
import { writeTargets } from "../target/target.service.ts";
import { checkFile, type PlannedCell } from "./check.service.ts";

export const TARGETS: Batches = { table: "targetImport", letters: "DM", needs: "139.import", mine: true };

/** Checks a file and keeps it with its errors and the cells it would change; nothing is changed. */
export async function checkUpload(act: Act, upload: Upload, note: string): Promise<number> {
  const file = await storeSheet(act, TARGETS, upload, null);
  const checked = await checkFile(act, upload.bytes, note);
  const enterpriseId = act.who.enterpriseId || null;
  return keepBatch(act, TARGETS, file, checked, {
    enterpriseId,
    note,
    cells: JSON.stringify(checked.cells),
  });
}

/** What a batch would change, each cell with the version it was checked against, and why. */
export async function plannedIn(read: Read, id: number): Promise<{ cells: PlannedCell[]; note: string }> {
  const { cells, note } = await read.tx
    .selectFrom("targetImport")
    .select(["cells", "note"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { cells: cells as unknown as PlannedCell[], note };
}

/** Indicator after indicator, always in the same order: two files at once wait instead of locking each other out. */
async function writeAll(act: Act, cells: readonly PlannedCell[], note: string, importId: number | null) {
  let saved = 0;
  for (const code of CODES) {
    const some = cells.filter((cell) => cell.code === code);
    if (some.length) saved += await writeTargets(act, code, some, note, importId);
  }
  return saved;
}

/** Every target of the file, or none: a cell that somebody changed since the check stops them all. */
export async function commit(act: Act, id: number, version: number) {
  const batch = await batchFor(act, TARGETS, id, version, "ready");
  const { cells, note } = await plannedIn(act, id);
  if (!cells.length)
    throw new Refusal(
      "nothing",
      (await takenBefore(act, TARGETS, batch.sha256)) ?? "文件与现有目标相同，没有修改",
    );
  const saved = await writeAll(act, cells, note, id);
  return { id, saved, version: await moveBatch(act, TARGETS, id, "done") };
}

type Undone = {
  code: Code;
  villageId: number;
  month: string;
  before: number | null;
  version: number;
  last: boolean;
};

/** Puts back what an import changed, as long as nobody has changed it since. */
export async function undo(act: Act, id: number, version: number): Promise<number> {
  const batch = await batchFor(act, TARGETS, id, version, "done");
  const { rows } = await sql<Undone>`
    select c.code, c.village_id "villageId", to_char(c.month, 'YYYY-MM') "month", c.before::float8 "before",
      coalesce(t.version, 0) version,
      not exists (select from indicator_target_change l
        where l.code = c.code and l.village_id = c.village_id and l.month = c.month and l.id > c.id) last
    from indicator_target_change c
    left join indicator_target t on t.code = c.code and t.village_id = c.village_id and t.month = c.month
    where c.import_id = ${id} order by c.id`.execute(act.tx);
  const changed = rows.filter((row) => !row.last).length;
  if (changed) throw new Refusal("inUse", `${changed} 格目标在导入后又被修改，不能撤销`);
  const cells = rows.map(({ before, ...cell }) => ({ ...cell, value: before }));
  const restored = await writeAll(act, cells, `撤销导入 ${batch.number}`, null);
  await moveBatch(act, TARGETS, id, "undone");
  return restored;
}
