import { sql } from "kysely";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";

/** Money may be nobody's for so many days before people are told. */
const PATIENCE_DAYS = 3;

type Aged = { id: number; name: string; villageIds: number[]; lines: number; free: Fen; days: number };

/** Daily message to those who import an account's lines: what has been unclaimed for days. */
export async function tellUnclaimed(act: Act): Promise<number> {
  const { rows } = await sql<Aged>`
    select a.id, a.name, count(*)::int lines, sum(l.free)::bigint free, ${act.today}::date - min(l.day) days,
      case when a.holder_village_id is not null then array[a.holder_village_id]
        else array(select v.id from village v where v.enterprise_id = a.enterprise_id order by v.id) end "villageIds"
    from bank_line l join merchant_account a on a.id = l.merchant_account_id
    where l.free > 0 and l.day < ${act.today}::date - ${PATIENCE_DAYS}::int group by a.id order by a.id`.execute(
    act.tx,
  );
  for (const { id, name, villageIds, lines, free, days } of rows) {
    const to = new Set<number>();
    for (const villageId of villageIds)
      for (const person of await whoHolds(act, "97.import", villageId)) to.add(person);
    await tell(act, {
      to: [...to],
      type: 2,
      title: `${name}有 ${lines} 笔流水超过${PATIENCE_DAYS}天未认领`,
      content: `截至 ${act.today}，${name}超过${PATIENCE_DAYS}天未认领的流水共 ${lines} 笔，未认领 ${yuan(Number(free))} 元，最长 ${days} 天。`,
      bizType: "unclaimedLines",
      bizId: id,
      facts: [
        ["账户", name],
        ["笔数", `${lines} 笔`],
        ["未认领", `${yuan(Number(free))} 元`],
      ],
      once: `unclaimedLines.${id}.${act.today}`,
    });
  }
  return rows.length;
}

export default [
  job({ name: "unclaimedAged", title: "未认领流水提醒", cron: "0 9 * * *", work: tellUnclaimed }),
];
