import type { Kysely } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { DB } from "../../../db/types.gen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { apply } from "./apply.service.ts";
import type { changeSeen } from "./change.queries.ts";
import { noteChange } from "./save.service.ts";
import { priceChangeCarried } from "./change.contract.ts";

type Change = Awaited<ReturnType<typeof changeSeen>>;

/** Carries a change out now; a product with more rooms than somebody should wait for is handed to a job. */
export async function carryOut(act: Act, change: Change): Promise<void> {
  const rooms = change.kind === "product" ? await linesOf(act, change.id) : 0;
  if (rooms <= act.settings.PRICE_JOB_ROOMS) return apply(act, change);
  await act.tx
    .updateTable("priceChange")
    .set({ queuedAt: act.now.toISOString(), progress: 0, failed: "" })
    .where("id", "=", change.id)
    .execute();
  // it is done in the name of whoever asked for it, also where somebody else approved it
  await act.emit(priceChangeCarried, { id: change.id, operatorId: change.submittedBy });
  await noteChange(act, change, "开始执行", `${rooms} 间跟随房间，在后台执行，全部完成后生效`);
}

async function linesOf(act: Act, id: number): Promise<number> {
  const { n } = await act.tx
    .selectFrom("priceChangeLine")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("changeId", "=", id)
    .executeTakeFirstOrThrow();
  return Number(n);
}

const about = ({ id, submittedBy, villageIds }: Change) => ({
  to: [submittedBy!],
  type: 8 as const,
  bizType: "priceChange",
  bizId: id,
  villageId: villageIds[0]!,
});

/** What a job took up: all of it or nothing, and whoever asked for it is told. Again, it finds nothing to do. */
export async function carry(
  act: Act,
  change: Change,
  progress: (percent: number) => Promise<void>,
): Promise<number> {
  if (!change.queuedAt) return 0;
  await progress(10);
  await apply(act, change, progress);
  const rooms = await linesOf(act, change.id);
  await tell(act, {
    ...about(change),
    title: `${change.scopeText} 调价已完成`,
    content: `调价单 ${change.number}（${change.ruleText}）已全部执行，${rooms} 间跟随房间自 ${change.effectiveDay} 起执行新价格。`,
  });
  return rooms;
}

/** Why nothing came of it, in words for people. */
export const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : "执行中断，请重新提交";

/** No price has moved: it may be handed in anew. */
export async function fellThrough(act: Act, change: Change, why: string): Promise<void> {
  if (!change.queuedAt) return;
  await act.tx
    .updateTable("priceChange")
    .set({
      state: "draft",
      queuedAt: null,
      progress: 0,
      failed: why,
      version: NEXT_VERSION,
    })
    .where("id", "=", change.id)
    .execute();
  await noteChange(act, change, "未能执行", `价格没有变化：${why}`);
  await tell(act, {
    ...about(change),
    title: `${change.scopeText} 调价没有执行`,
    content: `调价单 ${change.number} 没有执行，价格没有变化：${why}`,
  });
}

/** Tells how far it is, beside the transaction that does it. */
export const telling = (db: Kysely<DB>, id: number) => async (percent: number) => {
  await db.updateTable("priceChange").set({ progress: percent }).where("id", "=", id).execute();
};
