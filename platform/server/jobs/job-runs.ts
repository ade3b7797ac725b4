import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

/** A run that is open so long was lost with its server. */
const LOST_HOURS = 4;
/** Runs that are kept of each job. */
const KEPT = 100;

export const LOST = "服务中断，没有完成";

/** Ends what was lost, so that it does not stand in the way of the next run. */
async function endLost(db: Kysely<DB>, name: string): Promise<void> {
  await sql`
    update job_run set ended_at = now(), error = ${LOST}
    where name = ${name} and ended_at is null
      and coalesce(began_at, asked_at) < now() - make_interval(hours => ${LOST_HOURS})`.execute(db);
}

/**
 * Notes that somebody asks for a run, or answers nothing where one is open: the database lets one run of a name be open,
 * whichever servers are asked at once.
 */
export async function askForRun(db: Kysely<DB>, name: string, askedBy: number): Promise<number | undefined> {
  await endLost(db, name);
  const { rows } = await sql<{ id: number }>`
    insert into job_run (name, asked_by) values (${name}, ${askedBy})
    on conflict do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export async function setJob(
  db: Kysely<DB>,
  name: string,
  set: { enabled: boolean; changedBy: number; changedAt: string },
): Promise<void> {
  await db
    .insertInto("jobSetting")
    .values({ name, ...set })
    .onConflict((c) => c.column("name").doUpdateSet(set))
    .execute();
}

/**
 * Notes that a run begins: the one that was asked for, the same one tried again, or a new one of the clock. Answers
 * "off" for a job that is switched off, and nothing where another run is open, which no record may hide.
 */
export async function beginRun(
  db: Kysely<DB>,
  name: string,
  queueId: string,
  asked?: number,
): Promise<number | "off" | undefined> {
  if (asked === undefined) {
    const setting = await db
      .selectFrom("jobSetting")
      .select("enabled")
      .where("name", "=", name)
      .executeTakeFirst();
    if (setting?.enabled === false) return "off";
  }
  await endLost(db, name);
  const { rows } = await sql<{ id: number }>`
    update job_run set queue_id = ${queueId}, began_at = now(), ended_at = null, error = ''
    where id = (select id from job_run where name = ${name}
        and (id = ${asked ?? 0} or (queue_id = ${queueId} and queue_id <> '')) order by id desc limit 1)
      and not exists (select 1 from job_run o where o.name = ${name} and o.ended_at is null and o.id <> job_run.id)
    returning id`.execute(db);
  if (rows[0]) return rows[0].id;
  const fresh = await sql<{ id: number }>`
    insert into job_run (name, queue_id, began_at) values (${name}, ${queueId}, now())
    on conflict do nothing returning id`.execute(db);
  return fresh.rows[0]?.id;
}

/** Notes how a run ended; within its own transaction where it has one. */
export async function endRun(
  db: Kysely<DB>,
  id: number,
  processed: number | null,
  error = "",
): Promise<void> {
  await sql`
    update job_run set ended_at = now(), processed = ${processed}, error = ${error.slice(0, 500)}
    where id = ${id}`.execute(db);
  await sql`
    delete from job_run where name = (select name from job_run where id = ${id})
      and id <= ${id} and ended_at is not null
      and id not in (select id from job_run r where r.name = job_run.name order by id desc limit ${KEPT})`.execute(
    db,
  );
}
