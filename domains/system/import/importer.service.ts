import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { bytesOfFile } from "../file/file.service.ts";
import {
  batchFor,
  keepBatch,
  moveBatch,
  storeSheet,
  takenBefore,
  type Batch,
  type Batches,
} from "./batch.service.ts";
import { checkRows, type Checked, type Place, type Rows, type WholePlace } from "./rows.service.ts";

/** What one importer of a store's records knows that the others do not. */
export type Importer<R, P = Place> = Batches &
  Rows<R, P> & {
    /** How its things are counted: 人. */
    counter: string;
    /** One line of its template. */
    example: string;
    make: (act: Act, rows: readonly R[], batch: Batch) => Promise<unknown>;
    /** Takes away what a batch made, or refuses naming what hangs on it; answers how many it were. */
    remove: (act: Act, batch: Batch) => Promise<number>;
  };

/** Checks a file and keeps it with its errors; nothing is made. */
export async function checkUpload<R>(
  act: Act,
  of: Importer<R>,
  upload: Upload,
  villageId: number,
): Promise<Checked<R> & { id: number }> {
  inScope(act.who, villageId);
  const file = await storeSheet(act, of, upload, villageId);
  const twin = await takenBefore(act, of, file.sha256);
  if (twin) throw new Refusal("twice", twin);
  const { enterpriseId } = await act.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  const place = { villageId, enterpriseId };
  const checked = await checkRows(act, of, upload.bytes, place);
  return { ...checked, id: await keepBatch(act, of, file, checked, place) };
}

/** The same for records that belong to the enterprise and no store. */
export async function checkWhole<R>(act: Act, of: Importer<R, WholePlace>, upload: Upload): Promise<number> {
  const { enterpriseId } = act.who;
  const file = await storeSheet(act, of, upload, null);
  const twin = await takenBefore(act, of, file.sha256);
  if (twin) throw new Refusal("twice", twin);
  const checked = await checkRows(act, of, upload.bytes, { enterpriseId });
  return keepBatch(act, of, file, checked, { enterpriseId });
}

/** Makes every record of the file, or none: what was registered meanwhile sends the file back to its errors. */
export async function commitBatch<R>(
  act: Act,
  of: Importer<R>,
  id: number,
  version: number | undefined,
): Promise<number> {
  const batch = await batchFor(act, of, id, version, "ready");
  const checked = await checkRows(act, of, await bytesOfFile(act, batch.fileId), batch);
  const [first] = checked.errors;
  if (first) {
    await moveBatch(act, of, id, checked);
    throw new Refusal("changed", `第 ${first.row} 行：${first.msg}，未导入任何记录`, 409, { keeps: true });
  }
  await of.make(act, checked.rows, batch);
  await moveBatch(act, of, id, "done");
  await noteBatch(act, of, batch, "导入", checked.rows.length);
  return checked.rows.length;
}

/** Takes back what an import made, as long as nothing hangs on it. */
export async function undoBatch<R>(act: Act, of: Importer<R>, id: number, version: number): Promise<number> {
  const batch = await batchFor(act, of, id, version, "done");
  const removed = await of.remove(act, batch);
  await moveBatch(act, of, id, "undone");
  await noteBatch(act, of, batch, "撤销导入", removed);
  return removed;
}

const noteBatch = <R>(act: Act, of: Importer<R>, batch: Batch, action: string, count: number) =>
  act.note({
    kind: of.table,
    recordId: batch.id,
    number: batch.number,
    villageId: batch.villageId,
    action,
    summary: `${action}${of.things} ${count} ${of.counter}`,
  });

/**
 * Refuses to take a batch back while something hangs on its records, naming the first five; `why` is null for those
 * that can go.
 */
export function refuseHanging(
  records: readonly { name: string; why: string | null }[],
  said: (count: number) => string,
): void {
  const hanging = records.filter(({ why }) => why !== null);
  if (!hanging.length) return;
  const named = hanging.slice(0, 5).map(({ name, why }) => `${name}${why}`);
  throw new Refusal("inUse", `${said(hanging.length)}不能撤销：${named.join("、")}`);
}
