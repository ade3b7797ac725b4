import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHoldsAll } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { flowReversed, flowTold } from "../flow/flow.contract.ts";
import { refundTold } from "../refund/refund.contract.ts";
import { type Proved, PROVED } from "../statement/statement.queries.ts";
import { compare } from "./compare.service.ts";
import { PATIENCE_DAYS } from "./reconcile.rules.ts";

type Aged = { id: number; name: string; villageIds: number[]; count: number; diff: Fen; days: number };

/** Once a day, to who may deal with the differences of an account: what of them has stood open for days. */
export async function tellAged(act: Act): Promise<number> {
  const { rows } = await sql<Aged>`
    select a.id, a.name, count(*)::int count, sum(i.diff)::bigint diff, ${act.today}::date - min(i.day) days,
      case when a.holder_village_id is not null then array[a.holder_village_id]
        else array(select v.id from village v where v.enterprise_id = a.enterprise_id order by v.id) end "villageIds"
    from reconcile_item i join merchant_account a on a.id = i.merchant_account_id
    where i.open and i.day < ${act.today}::date - ${PATIENCE_DAYS}::int group by a.id order by a.id`.execute(
    act.tx,
  );
  for (const { id, name, villageIds, count, diff, days } of rows) {
    await tell(act, {
      // an account of head office is proved by who has every store
      to: await whoHoldsAll(act, "#2501", villageIds),
      type: 2,
      title: `${name}有 ${count} 笔对账差异超过${PATIENCE_DAYS}天未处理`,
      content: `截至 ${act.today}，${name}超过${PATIENCE_DAYS}天未处理的对账差异共 ${count} 笔，差额 ${yuan(Number(diff))} 元，最长 ${days} 天。`,
      bizType: "agedDifferences",
      bizId: id,
      facts: [
        ["账户", name],
        ["笔数", `${count} 笔`],
        ["差额", `${yuan(Number(diff))} 元`],
      ],
      once: `agedDifferences.${id}.${act.today}`,
    });
  }
  return rows.length;
}

/** The days on which a flow stood that is reversed, compared anew: what it was put beside has nothing of ours any more. */
async function compareReversed(act: Act, flowId: number): Promise<void> {
  const { rows } = await sql<Proved & { from: Day; to: Day }>`
    select ${PROVED}, least(i.day, f.paid_on) "from", greatest(i.day, f.paid_on) "to"
    from reconcile_item i join flow f on f.id = i.flow_id join merchant_account a on a.id = i.merchant_account_id
    where i.flow_id = ${flowId} for no key update of a`.execute(act.tx);
  for (const { from, to, ...account } of rows) await compare(act, { account, from, to });
}

/** The day of a line that a refund or a recorded payment has been booked for, compared anew. */
async function compareTold(act: Act, lineId: number): Promise<void> {
  const { rows } = await sql<Proved & { day: Day }>`
    select ${PROVED}, l.day from statement_line l join merchant_account a on a.id = l.merchant_account_id where l.id = ${lineId}
    for no key update of a`.execute(act.tx);
  if (!rows[0]) return;
  const { day, ...account } = rows[0];
  await compare(act, { account, from: day, to: day });
}

export default [
  job({
    name: "reconcile.waits",
    title: "到期的跨日等待重新列为差异",
    cron: "20 3 * * *",
    work: async (act) => {
      const { numAffectedRows } = await sql`
        update reconcile_item set resolution = null, wait_until = null, resolved_at = null, resolved_by = null,
          version = version + 1
        where resolution = 'wait' and wait_until < ${act.today}`.execute(act.tx);
      return Number(numAffectedRows ?? 0);
    },
  }),
  job({ name: "reconcile.aged", title: "未处理对账差异提醒", cron: "0 9 * * *", work: tellAged }),
  job({
    name: "reconcile.told",
    on: refundTold,
    work: (act, { lineId }) => compareTold(act, Number(lineId)),
  }),
  job({
    name: "reconcile.recorded",
    on: flowTold,
    work: (act, { lineId }) => compareTold(act, Number(lineId)),
  }),
  job({
    name: "reconcile.reversed",
    on: flowReversed,
    work: (act, { id }) => compareReversed(act, Number(id)),
  }),
];
