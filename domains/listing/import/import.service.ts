import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { createApartments } from "../apartment/apartment.service.ts";
import { raise } from "../building/building.service.ts";
import { checkFile, newApartment, type Checked } from "./check.queries.ts";
import { ERRORS_SHOWN, type ImportState } from "./preview.rules.ts";
import { previewOf } from "./preview.queries.ts";
import { NoSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import type { SheetError } from "../../../platform/server/sheets/sheet-reading.ts";

/** A batch belongs to its villages once they are known; until then to who uploaded it. */
export async function importSeen(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("roomImport")
    .selectAll()
    .where("id", "=", id)
    .where(visible(read))
    .executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, state: row.state as ImportState };
}

/** True for batches all of whose villages the caller sees. */
export const visible = (read: Read) => sql<boolean>`
  case when cardinality(room_import.village_ids) > 0 then room_import.village_ids <@ ${read.who.villages as number[]}::bigint[]
       else room_import.created_by = ${read.who.operatorId} end`;

const fileError = (msg: string): SheetError => ({
  sheet: "",
  row: 1,
  column: "",
  header: "",
  value: "",
  msg,
});

/** Checks a batch's file and keeps what was found. */
export async function check(
  act: Act,
  id: number,
  bytes: Buffer,
  villageId: number | null,
): Promise<Checked | undefined> {
  const checked = await checkFile(act, bytes, villageId).catch((error: unknown) => {
    if (error instanceof NoSheet) return error.message;
    throw error;
  });
  const errors = typeof checked === "string" ? [fileError(checked)] : checked.errors;
  const good = typeof checked === "string" || errors.length ? undefined : checked;
  await keep(act, id, {
    state: good ? "ready" : "failed",
    errors,
    rowCount: typeof checked === "string" ? 0 : checked.rowCount,
    preview: good && previewOf(good),
    villageIds: good ? [...new Set(good.flats.map((f) => f.villageId))] : villageId ? [villageId] : [],
  });
  return good;
}

async function keep(
  act: Act,
  id: number,
  found: {
    state: ImportState;
    errors: SheetError[];
    rowCount?: number;
    preview?: object | undefined;
    villageIds?: number[];
  },
): Promise<void> {
  await act.tx
    .updateTable("roomImport")
    .set({
      state: found.state,
      errors: JSON.stringify(found.errors.slice(0, ERRORS_SHOWN)),
      errorCount: found.errors.length,
      ...(found.rowCount !== undefined && { rowCount: found.rowCount }),
      ...(found.villageIds && { villageIds: found.villageIds }),
      preview: found.preview ? JSON.stringify(found.preview) : null,
      progress: 0,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .execute();
}

type Batch = Awaited<ReturnType<typeof importSeen>>;

/**
 * Makes everything of a batch in the open transaction. What was checked is checked again here: a name taken meanwhile
 * refuses the whole batch, and the errors say which. Answers the state after it.
 */
export async function takeBatch(
  act: Act,
  batch: Batch,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<ImportState> {
  await sql`savepoint batch`.execute(act.tx);
  try {
    const checked = await checkFile(act, await bytesOfFile(act, batch.fileId), batch.villageId);
    if (checked.errors.length) {
      await keep(act, batch.id, { state: "failed", errors: checked.errors });
      return "failed";
    }
    await progress(40);
    await make(act, batch, checked, progress);
    return "done";
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== "23505") throw error;
    // somebody made the same place in this very moment: look again, and name it
    await sql`rollback to savepoint batch`.execute(act.tx);
    const again = await checkFile(act, await bytesOfFile(act, batch.fileId), batch.villageId);
    const errors = again.errors.length
      ? again.errors
      : [fileError(`数据已被他人修改（${constraint}），请重新检查`)];
    await keep(act, batch.id, { state: "failed", errors });
    return "failed";
  }
}

const STEP = 1_000;

async function make(
  act: Act,
  batch: Batch,
  checked: Checked,
  progress: (percent: number) => Promise<void>,
): Promise<void> {
  const { flats, there } = checked;
  const preview = previewOf(checked);
  const standing = await raise(
    act,
    there,
    flats.map((f) => f.spot),
    { importId: batch.id },
  );
  for (let at = 0; at < flats.length; at += STEP) {
    await createApartments(
      act,
      flats.slice(at, at + STEP).map((flat) => newApartment(flat, standing(flat.spot), batch.id)),
    );
    await progress(40 + Math.floor((55 * Math.min(at + STEP, flats.length)) / flats.length));
  }
  const { made } = preview;
  const told = `导入 ${made.apartments} 套房源、${made.rooms} 个房间（${batch.number}）`;
  await act.note([
    {
      kind: "roomImport",
      recordId: batch.id,
      number: batch.number,
      action: "导入",
      summary: told,
      after: made,
    },
    ...preview.villages.map((village) => ({
      kind: "village",
      recordId: village.id,
      villageId: village.id,
      action: "导入房源",
      summary: `导入 ${village.apartments} 套房源（${batch.number}）`,
    })),
  ]);
  await act.tx
    .updateTable("roomImport")
    .set({
      state: "done",
      made: JSON.stringify(made),
      progress: 100,
      doneAt: act.now.toISOString(),
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", batch.id)
    .execute();
}
