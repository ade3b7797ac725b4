import { sql } from "kysely";
import { type Reply, allows } from "../../../platform/kernel/call.ts";
import { lastOf, type Month } from "../../../platform/kernel/day.ts";
import { forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { rowsAlone } from "../../../platform/server/jobs/rows-alone.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { needsActive, whoActs } from "../../access/operator/scope.service.ts";
import { accrueMonth } from "../accrual/accrual.contract.ts";
import { declareTax } from "../accrual/tax.service.ts";
import { placeOf } from "./books.queries.ts";
import { type listRuns, type getRun, runStarted } from "./posting.contract.ts";
import { OFFICE, type PostedSide } from "./posting.rules.ts";
import { generate } from "./posting.service.ts";

type Asked = {
  villageIds: readonly number[];
  office: boolean;
  month: Month;
  side: PostedSide;
  accrue: boolean;
};

/**
 * Asks for the vouchers of a month of many places; each is worked through by itself, in the order given. With `accrue` the income of
 * a store is brought up to the month and its tax declared first.
 */
export async function startRun(
  act: Act,
  { villageIds, office, month, side, accrue }: Asked,
): Promise<number> {
  if (accrue && !allows(act.who.permits, accrueMonth.needs)) throw forbidden();
  if (lastOf(month) >= act.today) throw invalid({ field: "month", msg: "本月尚未结束" });
  const places: (number | null)[] = [...new Set(villageIds), ...(office ? [null] : [])];
  if (!places.length) throw invalid({ field: "villageIds", msg: "请选择门店" });
  for (const id of places) await placeOf(act, id);
  const { id } = await act.tx
    .insertInto("postingRun")
    .values({
      enterpriseId: act.who.enterpriseId,
      month,
      side,
      accrue: accrue && side === "income",
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("postingRunRow")
    .values(places.map((villageId, seq) => ({ runId: id, seq, villageId })))
    .execute();
  await act.emit(runStarted, { id });
  return id;
}

const FAILED = "未能生成，请单独生成";

/**
 * Works through a run as whoever started it, each place in a transaction of its own that writes down what became of it: started
 * again, it goes on where it stopped.
 */
export async function workThrough(house: House, runId: number): Promise<number> {
  const { db } = house.database;
  const run = await db.selectFrom("postingRun").selectAll().where("id", "=", runId).executeTakeFirstOrThrow();
  const who = await whoActs(db, run.createdBy);
  const write = (act: Act, seq: number, set: object) =>
    act.tx.updateTable("postingRunRow").set(set).where("runId", "=", runId).where("seq", "=", seq).execute();
  const one = async (act: Act, seq: number) => {
    const row = await act.tx
      .selectFrom("postingRunRow")
      .select("villageId")
      .where("runId", "=", runId)
      .where("seq", "=", seq)
      .where("state", "=", "waiting")
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    await needsActive(act);
    const place = await placeOf(act, row.villageId);
    if (run.accrue && row.villageId !== null)
      await declareTax(act, { villageIds: [row.villageId], month: run.month });
    const batchId = await generate(act, { place, month: run.month, side: run.side as PostedSide });
    await write(act, seq, { state: "done", batchId });
  };
  const left = await db
    .selectFrom("postingRunRow")
    .select("seq")
    .where("runId", "=", runId)
    .where("state", "=", "waiting")
    .orderBy("seq")
    .execute();
  const worked = await rowsAlone(house, {
    who,
    requestId: `posting ${runId}`,
    left: left.map(({ seq }) => seq),
    one,
    refused: (act, seq, refusal) => write(act, seq, { state: "refused", said: refusal?.message ?? FAILED }),
  });
  await db
    .updateTable("postingRun")
    .set({ state: "done", endedAt: house.clock().toISOString() })
    .where("id", "=", runId)
    .where("state", "=", "running")
    .execute();
  worked.rethrow();
  return left.length;
}

/** The last runs of a person on one side, the newest first. */
export async function runsOf(read: Read, side: PostedSide) {
  const { rows } = await sql<Reply<typeof listRuns>[number]>`
    select n.id, n.created_at "at", n.month, n.state, r.* from posting_run n cross join lateral (
      select count(*)::int total, (count(*) filter (where state = 'done'))::int done,
        (count(*) filter (where state = 'refused'))::int refused
      from posting_run_row where run_id = n.id) r
    where n.created_by = ${read.who.operatorId} and n.side = ${side} order by n.id desc limit 20`.execute(
    read.tx,
  );
  return rows;
}

/** A run with what became of each place, for whoever started it. */
export async function runOf(read: Read, id: number): Promise<Reply<typeof getRun>> {
  const run = await read.tx
    .selectFrom("postingRun")
    .select(["id", "month", "state"])
    .where("id", "=", id)
    .where("createdBy", "=", read.who.operatorId)
    .executeTakeFirst();
  if (!run) throw notFound();
  const { rows } = await sql<Reply<typeof getRun>["rows"][number]>`
    select r.seq, coalesce(v.name, ${OFFICE}) "villageName", r.state, r.batch_id "batchId", coalesce(b.batch_no, '') "batchNo",
      b.debit, r.said
    from posting_run_row r left join village v on v.id = r.village_id left join voucher_batch b on b.id = r.batch_id
    where r.run_id = ${id} order by r.seq`.execute(read.tx);
  const over = rows.filter((row) => row.state !== "waiting").length;
  return {
    id: run.id,
    month: run.month,
    state: run.state as Reply<typeof getRun>["state"],
    percent: Math.floor((over * 100) / rows.length),
    rows,
  };
}
