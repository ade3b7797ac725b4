import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { checkFile, type Checked } from "./check.service.ts";
import type { Batch } from "./import.queries.ts";
import { ERRORS_SHOWN, type CellError, type ImportState } from "./import.rules.ts";
import { bringIn } from "./make.service.ts";
import { totalsFor } from "./planned.rules.ts";

/** Checks a batch's file and keeps what was found. */
export async function check(act: Act, id: number, bytes: Buffer, takenOn: string): Promise<Checked> {
  const checked = await checkFile(act, bytes, takenOn);
  await keep(act, id, checked);
  return checked;
}

async function keep(act: Act, id: number, checked: Checked): Promise<ImportState> {
  const { errors, planned, rowCount } = checked;
  const state = errors.length ? "failed" : "ready";
  await act.tx
    .updateTable("contractImport")
    .set({
      state,
      errors: JSON.stringify(errors.slice(0, ERRORS_SHOWN)),
      errorCount: errors.length,
      rowCount,
      totals: errors.length ? null : JSON.stringify(totalsFor(planned)),
      villageIds: errors.length ? [] : [...new Set(planned.map((p) => p.villageId))].sort((a, b) => a - b),
      progress: 0,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .execute();
  return state;
}

const wholeFile = (msg: string): CellError[] => [{ row: 1, column: "", header: "", value: "", msg }];

/**
 * Takes a batch in the open transaction, all of it or nothing. What was checked is checked again here: a room let or a
 * tenant registered meanwhile refuses the whole batch, and the errors say in which row. Answers the state after it.
 */
export async function takeBatch(
  act: Act,
  batch: Batch,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<ImportState> {
  // two batches of one village follow each other, so that the second sees what the first has taken
  for (const villageId of batch.villageIds)
    await sql`select pg_advisory_xact_lock(hashtext('contractImport'), ${villageId}::int)`.execute(act.tx);
  await sql`savepoint batch`.execute(act.tx);
  const look = async () => checkFile(act, await bytesOfFile(act, batch.fileId), batch.takenOn);
  try {
    const checked = await look();
    if (checked.errors.length) return await keep(act, batch.id, checked);
    await progress(20);
    await bringIn(act, batch, checked.planned, progress);
    await act.tx
      .updateTable("contractImport")
      .set({
        state: "done",
        totals: JSON.stringify(totalsFor(checked.planned)),
        progress: 100,
        doneAt: act.now.toISOString(),
        version: NEXT_VERSION,
        updatedAt: act.now.toISOString(),
      })
      .where("id", "=", batch.id)
      .execute();
    return "done";
  } catch (error) {
    const taken = error instanceof Refusal ? error.message : undefined;
    if (taken === undefined && (error as { code?: string }).code !== "23505") throw error;
    // somebody let a room or registered a tenant in this very moment: look again, and name it
    await sql`rollback to savepoint batch`.execute(act.tx);
    const again = await look();
    const errors = again.errors.length
      ? again.errors
      : wholeFile(`${taken ?? "数据已被他人修改"}，请重新检查`);
    return keep(act, batch.id, { ...again, errors });
  }
}
