import fs from "node:fs/promises";
import type { Pool } from "pg";
import { Refusal } from "../../kernel/refusal.ts";

/** SQLSTATE disk_full ("could not extend file"); the file system's words for no space and for a quota used up. */
const FULL = new Set(["53100", "ENOSPC", "EDQUOT"]);
/** The database writes its log in segments of 16 MB: with less than a few of them it stops. */
const LEAST_BYTES = 64 * 2 ** 20;

/** What is said while nothing can be stored; undefined for any other failure. */
export const fullOf = (error: unknown): Refusal | undefined =>
  error instanceof Error && FULL.has((error as { code?: string }).code ?? "")
    ? new Refusal("diskFull", "服务器磁盘空间不足，暂时无法保存，请联系管理员清理磁盘后重试", 503)
    : undefined;

/** Databases that could not write. The free space of one that runs elsewhere cannot be asked for. */
const full = new WeakSet<Pool>();

export function noteFull(pool: Pool, error: unknown): void {
  if (fullOf(error)) full.add(pool);
}

/** Whether there is room to work: in the data folder, and, once it has failed to write, in the database. */
export async function hasRoom(pool: Pool, folder: string): Promise<boolean> {
  const disk = await fs.statfs(folder).catch(() => undefined);
  if (disk && disk.blocks > 0 && disk.bavail * disk.bsize < LEAST_BYTES) return false;
  if (!full.has(pool)) return true;
  try {
    // a new table needs a file and a line in the log, like one that grows
    await pool.query(
      "create temp table room on commit drop as select repeat('x', 2000) from generate_series(1, 100)",
    );
    full.delete(pool);
    return true;
  } catch (error) {
    if (fullOf(error)) return false;
    throw error;
  }
}
