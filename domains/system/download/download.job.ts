import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { exported, prepare, snapshot, totalsOf } from "../../../platform/server/sheets/export.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { findOperator } from "../../../platform/server/pipeline/session.ts";
import { tell } from "../message/message.service.ts";
import { KEPT_DAYS, downloadRequested } from "./download.contract.ts";
import { finish, scopeOf, titleOf } from "./download.service.ts";

const TRIES = 3;
const EACH = 2;
/** A server that has not given a sign of life for so long is gone, and what it was making is made anew. */
const SILENT_SECONDS = 120;
const SIGN_MS = 1_000;

type Task = {
  id: number;
  type: string;
  name: string;
  filter: { params: Record<string, string>; query: Record<string, string> };
  columns: string[];
  requested_by: number;
  attempts: number;
};

/** The next task: who has the fewest under way comes first, at most two of one person at a time. */
async function claim({ database }: House): Promise<Task | undefined> {
  const { rows } = await database.pool.query<Task>(
    `with alive as (
       select requested_by, count(*) n from download_task
       where state = 'running' and touched_at > now() - $1 * interval '1 second' group by requested_by)
     update download_task set state = 'running', progress = 0, attempts = attempts + 1, touched_at = now()
     where id = (
       select t.id from download_task t left join alive a using (requested_by)
       where (t.state = 'queued' or (t.state = 'running' and t.touched_at < now() - $1 * interval '1 second'))
         and coalesce(a.n, 0) < $2
       order by coalesce(a.n, 0), t.id limit 1 for update of t skip locked)
     returning id, type, name, filter, columns, requested_by, attempts`,
    [SILENT_SECONDS, EACH],
  );
  return rows[0];
}

class Cancelled extends Error {}

/** Writes how far it is and that somebody is still at it; hears on the way back whether it is still wanted. */
async function sign({ database }: House, id: number, progress: number): Promise<void> {
  const { rowCount } = await database.pool.query(
    "update download_task set progress = $2, touched_at = now() where id = $1 and state = 'running'",
    [id, progress],
  );
  if (!rowCount) throw new Cancelled();
}

async function make(house: House, base: Act, task: Task): Promise<void> {
  const who = await findOperator(house.database.pool, task.requested_by);
  if (!who) throw new Refusal("gone", "申请人已停用", 403);
  const act = { ...base, who };
  const prepared = prepare(who, { ...task.filter, type: task.type, columns: task.columns });
  let rows = 0;
  const file = await snapshot(house.database.replicaDb, async (tx) => {
    const read = { ...act, tx, replica: tx };
    const { total, sums } = await totalsOf(read, prepared);
    let signed = Date.now();
    const passed = async (through: number) => {
      rows = through;
      if (Date.now() - signed < SIGN_MS) return;
      signed = Date.now();
      await sign(house, task.id, Math.min(99, Math.floor((through * 100) / Math.max(1, total))));
    };
    return house.files.put(await exported(read, prepared, sums, passed));
  });
  const kept = await house.database.db.transaction().execute(async (tx) => {
    const within = actOf(house, tx, who, act);
    await tx
      .updateTable("downloadTask")
      .set({ villageIds: scopeOf(within, prepared) })
      .where("id", "=", task.id)
      .execute();
    if (!(await finish(within, task, file, rows))) return false;
    await tell(within, {
      to: [who.operatorId],
      type: 8,
      title: `${titleOf(task.type)}已导出，可以下载`,
      content: `${task.name} 已生成，保留 ${KEPT_DAYS} 天，请及时下载。`,
      bizType: "download",
      bizId: task.id,
      facts: [
        ["文件", task.name],
        ["行数", rows.toLocaleString("en-US")],
      ],
    });
    return true;
  });
  if (!kept) await house.files.remove(file.key);
}

/** What a person is told; a fault of the house is tried again first. */
async function failed(house: House, base: Act, task: Task, error: unknown): Promise<void> {
  if (error instanceof Cancelled) return;
  const final = error instanceof Refusal || task.attempts >= TRIES;
  const sentence = error instanceof Refusal ? error.message : "导出失败，请稍后重试";
  await house.database.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("downloadTask")
      .set({
        state: final ? "failed" : "queued",
        error: final ? sentence : null,
        ...(final && { finishedAt: base.now.toISOString() }),
      })
      .where("id", "=", task.id)
      .where("state", "=", "running")
      .executeTakeFirst();
    if (!final || !numUpdatedRows) return;
    await tell(actOf(house, tx, base.who, base), {
      to: [task.requested_by],
      type: 8,
      title: `${titleOf(task.type)}导出失败`,
      content: `${task.name} 没有生成：${sentence}。可以在下载中心重试。`,
      bizType: "downloadFailed",
      bizId: task.id,
      facts: [
        ["文件", task.name],
        ["原因", sentence],
      ],
    });
  });
  if (final && !(error instanceof Refusal)) throw error;
}

export default [
  job({
    name: "downloads.make",
    title: "生成导出文件",
    // the cron finds what a stopped server left behind
    cron: "* * * * *",
    on: downloadRequested,
    transaction: false,
    work: async (act, _data, house) => {
      for (let task = await claim(house); task; task = await claim(house))
        await make(house, act, task).catch((error: unknown) => failed(house, act, task!, error));
    },
  }),

  job({
    name: "downloads.expire",
    title: "清理过期导出文件",
    cron: "40 3 * * *",
    transaction: false,
    work: async (act) => {
      const old = await act.tx
        .updateTable("downloadTask")
        .set({ state: "expired", fileId: null })
        .where("state", "=", "ready")
        .where("expiresAt", "<=", act.now.toISOString())
        .returning("id")
        .execute();
      for (const { id } of old) {
        const gone = await act.tx
          .deleteFrom("storedFile")
          .where("targetKind", "=", "download")
          .where("targetId", "=", id)
          .returning("storageKey")
          .execute();
        for (const { storageKey } of gone) await act.files.remove(storageKey);
      }
    },
  }),
];
