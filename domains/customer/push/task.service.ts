import { notFound, stale } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { audienceInput } from "./push-input.contract.ts";
import type { Category, PushState } from "./push.rules.ts";

/** A task in scope: one of its stores is. */
export async function seenTask(read: Read, id: number) {
  const row = await read.tx.selectFrom("pushTask").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row || !row.villageIds.some((village) => read.who.villages.includes(village))) throw notFound();
  return typedTask(row);
}

/** The same, locked, and all of its stores are in scope: who changes it answers for all of them. */
export async function ownTask(act: Act, id: number, version?: number) {
  const row = await act.tx
    .selectFrom("pushTask")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || !row.villageIds.every((village) => act.who.villages.includes(village))) throw notFound();
  if (version !== undefined && row.version !== version) throw stale();
  return typedTask(row);
}

export const typedTask = <
  R extends { audience: unknown; category: string; channels: readonly string[]; state: string },
>(
  row: R,
) => ({
  ...(row as Omit<R, "audience" | "category" | "channels">),
  audience: audienceInput.parse(row.audience),
  category: row.category as Category,
  channels: row.channels as Channel[],
  status: row.state as PushState,
});
export type Task = Awaited<ReturnType<typeof seenTask>>;

export const noteTask = (
  act: Act,
  task: { id: number; number: string; villageIds: readonly number[] },
  action: string,
  summary: string,
): Promise<void> =>
  act.note({
    kind: "pushTask",
    recordId: task.id,
    number: task.number,
    villageId: task.villageIds[0]!,
    action,
    summary,
  });

/** Changes a locked task. */
export async function setTask(act: Act, task: { id: number }, set: Record<string, unknown>): Promise<void> {
  await act.tx
    .updateTable("pushTask")
    .set({
      ...set,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
      ...(act.who.operatorId && { updatedBy: act.who.operatorId }),
    })
    .where("id", "=", task.id)
    .execute();
}
