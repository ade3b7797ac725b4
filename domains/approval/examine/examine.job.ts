import { sql } from "kysely";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { nobody, type Act } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { aroundOf, canDecide, readExamine, runOf, saveRun, tellAsked, tellReminder } from "./run.service.ts";
import { transferred } from "./decide.service.ts";
import { replaceLost } from "./engine.rules.ts";
import { finish } from "./propose.service.ts";

type Due = { id: number; examineId: number; operatorId: number; hours: number; remindAt: string };

/** Reminds people of what has waited for them longer than its node allows, and again after as long. */
async function remind(act: Act): Promise<number> {
  const now = act.now.toISOString();
  const { rows } = await sql<Due>`
    select s.id, s.examine_id "examineId", s.operator_id "operatorId", s.remind_at "remindAt",
      floor(extract(epoch from ${now}::timestamptz - s.asked_at) / 3600)::int hours
    from examine_step s where s.state = 'waiting' and s.remind_at <= ${now}::timestamptz
    order by s.id limit 500 for update skip locked`.execute(act.tx);
  for (const due of rows) {
    const examine = (await readExamine(act, due.examineId))!;
    await tellReminder(act, examine, [due.operatorId], due.hours, `examine.remind.${due.id}.${due.remindAt}`);
    await sql`
      update examine_step s set remind_at = ${now}::timestamptz + make_interval(hours => greatest(1, coalesce(
        (e.process_snapshot -> 'nodes' -> (s.order_num - 1) ->> 'remindHours')::int, 1)))
      from examine e where e.id = s.examine_id and s.id = ${due.id}`.execute(act.tx);
  }
  return rows.length;
}

/** Asks the fallback approver where those asked were disabled meanwhile, or see the store no more. */
async function replace(act: Act, id: number): Promise<void> {
  const examine = await readExamine(act, id, { lock: true });
  if (examine?.state !== "approving") return;
  const run = await runOf(act, examine);
  const around = await aroundOf(act, examine, examine.processSnapshot, transferred(run));
  const next = replaceLost(run, around);
  if (next === run) return;
  const people = await saveRun(act, examine, run, next, { by: 0, text: "" });
  if (next.state === "approving") await tellAsked(act, examine, people);
  else await finish(act, examine, next.state, "");
}

export default [
  job({ name: "examine.remind", title: "审批超时提醒", cron: "*/15 * * * *", work: remind }),
  job({
    name: "examine.replace",
    title: "更换失效的审批人",
    cron: "*/15 * * * *",
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const { rows } = await sql<{ id: number; examineNo: string }>`
        select distinct s.examine_id id, e.examine_no "examineNo" from examine_step s join operator o on o.id = s.operator_id
        join examine e on e.id = s.examine_id
        where s.state = 'waiting' and not ${canDecide(
          sql`e.village_id`,
          sql`(e.process_snapshot ->> 'fallbackId')::bigint`,
        )} order by 1`.execute(db);
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      return eachAlone(
        rows,
        ({ examineNo }) => examineNo,
        ({ id }) =>
          db
            .transaction()
            .execute((tx) => replace(actOf(house, tx, nobody, request), id))
            .catch((error: unknown) => {
              // an act that cannot be done now goes on waiting for a person
              if (!(error instanceof Refusal)) throw error;
            }),
      );
    },
  }),
];
