import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { TOLD_BEFORE } from "./application.rules.ts";
import { expire } from "./review.service.ts";

type Due = {
  id: number;
  applyNo: string;
  name: string;
  villageId: number;
  villageName: string;
  expiresOn: Day;
  reviewer: number;
};

/** Requests that nobody has reviewed expire on their day; whoever is to review them is told three days before. */
export async function followApplications(act: Act): Promise<number> {
  const { rows } = await sql<Due>`
    select a.id, a.apply_no "applyNo", a.name, a.village_id "villageId", v.name "villageName", a.expires_on "expiresOn",
      coalesce(o.id, v.manager_id) reviewer
    from lease_application a join village v on v.id = a.village_id
    left join operator o on o.id = a.reviewer_id and o.state = 'active'
    where a.outcome = 'submitted' and a.expires_on <= ${addDays(act.today, TOLD_BEFORE)}::date
    order by a.id`.execute(act.tx);
  return eachByItself(
    act,
    rows,
    ({ applyNo }) => applyNo,
    async (a) => {
      if (a.expiresOn <= act.today) return expire(act, a.id);
      await tell(act, {
        to: [a.reviewer],
        type: 3,
        title: `租赁申请 ${a.applyNo} 即将过期`,
        content: `${a.name}的租赁申请还没有审核，${a.expiresOn} 将自动过期，请尽快处理。`,
        bizType: "leaseApplication",
        bizId: a.id,
        villageId: a.villageId,
        facts: [
          ["门店", a.villageName],
          ["申请人", a.name],
          ["审核截止", a.expiresOn],
        ],
        once: `leaseApplication.expiring.${a.id}`,
      });
      return 0;
    },
  );
}

export default [
  job({
    name: "contracts.applications",
    title: "租赁申请过期",
    cron: "20 0 * * *",
    work: followApplications,
  }),
];
