import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/act.ts";
import { storeFile } from "../../system/file/file.service.ts";
import { CODES, type Code } from "../overview/overview.rules.ts";
import { writeTargets } from "../target/target.service.ts";
import { checkFile, type PlannedCell } from "./check.service.ts";

/** Checks a file and keeps it with its errors; nothing is changed. */
export async function checkUpload(act: Act, upload: Upload, note: string): Promise<{ id: number }> {
  const file = await storeFile(act, upload, {
    purpose: "sheet10M",
    targetKind: "targetImport",
    needs: "139.import",
  });
  const checked = await checkFile(act, upload.bytes, note);
  const [number] = await act.numbers("DM");
  return act.tx
    .insertInto("targetImport")
    .values({
      number: number!,
      enterpriseId: act.who.enterpriseId || null,
      fileId: file.id,
      fileName: file.name,
      sha256: file.sha256,
      rowCount: checked.rowCount,
      cells: JSON.stringify(checked.cells),
      note,
      errors: JSON.stringify(checked.errors),
      errorCount: checked.errorCount,
      state: checked.errorCount ? "failed" : "ready",
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
}

/** A file spans stores, so it is there for whoever brought it alone. */
export async function seenImport(read: Read, id: number, lock = false) {
  const row = await read.tx
    .selectFrom("targetImport")
    .selectAll()
    .where("id", "=", id)
    .where("createdBy", "=", read.who.operatorId)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

async function moveTo(act: Act, id: number, state: string): Promise<number> {
  const { version } = await act.tx
    .updateTable("targetImport")
    .set((eb) => ({ state, version: eb("version", "+", 1), updatedAt: act.now.toISOString() }))
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
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
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "ready")
    throw new Refusal("notAllowed", batch.state === "done" ? "该批次已导入" : "文件有错误，不能导入");
  const twin = await act.tx
    .selectFrom("targetImport")
    .select(["number", "updatedAt"])
    .where("sha256", "=", batch.sha256)
    .where("createdBy", "=", act.who.operatorId)
    .where("state", "=", "done")
    .executeTakeFirst();
  const cells = batch.cells as unknown as PlannedCell[];
  if (!cells.length)
    throw new Refusal(
      "nothing",
      twin
        ? `该文件已于 ${timeInZone(twin.updatedAt, act.settings.TIME_ZONE).slice(0, 16)} 导入（${twin.number}）`
        : "文件与现有目标相同，没有修改",
    );
  const saved = await writeAll(act, cells, batch.note, id);
  return { id, saved, version: await moveTo(act, id, "done") };
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
  const batch = await seenImport(act, id, true);
  if (batch.version !== version) throw stale();
  if (batch.state !== "done") throw new Refusal("notAllowed", "只有已导入的批次可以撤销");
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
  await moveTo(act, id, "undone");
  return restored;
}
