import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { type Act, nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { billsIssued } from "../bill/events.contract.ts";
import { isLate } from "../bill/overdue.service.ts";

type Late = { villageId: number; name: string; bills: number; fresh: number; amount: number };

/** Open money of each village that is past its day, and how much of it became late since yesterday. */
const lateByVillage = async ({ tx, today }: Act): Promise<Late[]> => {
  const { rows } = await sql<Late>`
    select v.id as "villageId", v.name, count(*)::int as bills,
      (count(*) filter (where b.due_date >= ${today}::date - 1))::int as fresh,
      sum(b.outstanding)::bigint as amount
    from bill b join village v on v.id = b.village_id
    where b.direction = 'receivable' and ${isLate(today)}
    group by v.id, v.name order by v.id`.execute(tx);
  return rows;
};

/** Once a day, to whoever works with the bills of a village: what is late there. */
export async function tellOverdue(act: Act): Promise<number> {
  const late = await lateByVillage(act);
  for (const { villageId, name, bills, fresh, amount } of late) {
    const news = fresh ? `，其中 ${fresh} 笔昨日到期未付` : "";
    await tell(act, {
      to: await whoHolds(act, "26.query", villageId),
      type: 2,
      title: `${name}有 ${bills} 笔账单逾期`,
      content: `截至 ${act.today}，${name}逾期未收的账单共 ${bills} 笔，合计 ${yuan(Number(amount))} 元${news}。`,
      bizType: "overdueBills",
      bizId: villageId,
      villageId,
      facts: [
        ["门店", name],
        ["逾期笔数", `${bills} 笔`],
        ["逾期金额", `${yuan(Number(amount))} 元`],
      ],
      once: `overdueBills.${villageId}.${act.today}`,
    });
  }
  return late.length;
}

/** Bills put on the ledger in one transaction. */
const BATCH = 500;

export default [
  job({
    name: "issueBills",
    title: "账单出账",
    cron: "10 0 * * *",
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      let count = 0;
      for (let issued = BATCH; issued === BATCH; count += issued)
        issued = await db.transaction().execute((tx) => issueDue(actOf(house, tx, nobody, request), BATCH));
      await db.transaction().execute((tx) => actOf(house, tx, nobody, request).emit(billsIssued, {}));
      return count;
    },
  }),
  job({ name: "bills.overdue", title: "逾期账单提醒", cron: "30 8 * * *", work: tellOverdue }),
];
