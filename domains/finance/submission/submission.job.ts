import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { isWorkday } from "../setting/workday.rules.ts";
import { specialDaysOf } from "../setting/workday.service.ts";
import { dueOf } from "./submission.queries.ts";
import { managersOf } from "./submission.service.ts";

type Waiting = { villageId: number; name: string; enterpriseId: number; bankDay: Day; amount: Fen };

/** Cash that lies in stores and was not kept for a reason, by store and day. */
async function cashWaiting({ tx }: Act): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select t.village_id "villageId", v.name, v.enterprise_id "enterpriseId", t.bank_day "bankDay", sum(t.amount)::bigint amount
    from takings_loose t join village v on v.id = t.village_id where t.kind = 'cash'
    group by 1, 2, 3, 4 order by 1, 4`.execute(tx);
  return rows;
}

/** Cashiers and the manager of a store. */
const concerned = async (act: Act, villageId: number): Promise<number[]> => [
  ...(await whoHolds(act, "112.add", villageId)),
  ...(await managersOf(act, villageId)),
];

/** At 18:00 of a workday: what should have been handed over by now, store by store. */
export async function tellLate(act: Act): Promise<number> {
  const waiting = await cashWaiting(act);
  const due = await dueOf(
    act,
    waiting.map((row) => ({ id: row.villageId, enterpriseId: row.enterpriseId })),
  );
  const late = waiting.filter((row) => new Date(due(row.villageId, row.bankDay)) <= act.now);
  let told = 0;
  for (const [villageId, days] of Map.groupBy(late, (row) => row.villageId)) {
    const { name, enterpriseId, bankDay } = days[0]!;
    if (!isWorkday(act.today, await specialDaysOf(act, enterpriseId))) continue;
    const amount = days.reduce((sum, row) => sum + row.amount, 0);
    await tell(act, {
      to: await concerned(act, villageId),
      type: 2,
      title: `${name}有 ${yuan(amount)} 元现金超期未缴`,
      content: `${name}有 ${days.length} 天的现金共 ${yuan(amount)} 元超过期限未缴款，最早为 ${bankDay}，请尽快缴款。`,
      bizType: "submissionLate",
      bizId: villageId,
      villageId,
      once: `submission.late.${villageId}.${act.today}`,
    });
    told++;
  }
  return told;
}

type Box = { id: number; name: string; villageId: number; held: Fen };
/** Cash boxes that hold more than their store's setting allows. */
export async function tellFull(act: Act): Promise<number> {
  const { rows } = await sql<Box>`
    select a.id, a.name, a.holder_village_id "villageId", b.held from merchant_account a
    cross join lateral (select coalesce(sum(l.debit - l.credit), 0)::bigint held
      from merchant_until(array[a.id], 'infinity') l where l.account = '1001') b
    where a.kind = 'cash' and a.holder_village_id is not null and b.held > 0 order by a.id`.execute(act.tx);
  const settings = await settingsOf(
    act,
    rows.map((box) => box.villageId),
  );
  let told = 0;
  for (const box of rows) {
    const limit = settings(box.villageId).cashLimit;
    if (!limit || box.held <= limit) continue;
    await tell(act, {
      to: await concerned(act, box.villageId),
      type: 2,
      title: `${box.name}现金 ${yuan(box.held)} 元超过上限`,
      content: `${box.name}现有现金 ${yuan(box.held)} 元，超过上限 ${yuan(limit)} 元，请尽快缴款。`,
      bizType: "submissionLate",
      bizId: box.villageId,
      villageId: box.villageId,
      once: `submission.full.${box.id}.${act.today}`,
    });
    told++;
  }
  return told;
}

export default [
  job({
    name: "submissionLate",
    title: "现金超期未缴提醒",
    cron: "0 18 * * *",
    work: async (act) => (await tellLate(act)) + (await tellFull(act)),
  }),
];
