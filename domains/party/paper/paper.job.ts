import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import type { PartyKind } from "../party/party.service.ts";
import { PAPER_KINDS, REMIND_DAYS } from "./paper.rules.ts";

type Ending = {
  id: number;
  partyId: number;
  kind: PartyKind;
  partyName: string;
  paperKind: keyof typeof PAPER_KINDS;
  name: string;
  endDay: string;
  villageId: number;
  managerId: number;
};
const WHO = { renter: "租客", company: "企业", merchant: "商户" } as const satisfies Record<
  PartyKind,
  string
>;

/** Tells the manager of the store that registered a firm that one of its papers ends within thirty days; once for each. */
export async function remindPapers(act: Act): Promise<number> {
  const { rows } = await sql<Ending>`
    select w.id, p.id "partyId", p.kind, p.name "partyName", w.kind "paperKind", w.name, w.end_day "endDay",
      v.id "villageId", v.manager_id "managerId"
    from party_paper w join party p on p.id = w.party_id join party_home h on h.id = p.id
    join village v on v.id = h.home_village_id
    where p.kind in ('company', 'merchant') and w.end_day between ${act.today}::date and ${addDays(act.today, REMIND_DAYS)}::date order by w.id`.execute(
    act.tx,
  );
  for (const paper of rows) {
    const title = `${WHO[paper.kind]}${paper.partyName}的${paper.name}将于 ${paper.endDay} 到期`;
    await tell(act, {
      to: [paper.managerId],
      type: 4,
      title,
      content: `${title}，请提醒对方换发并上传新的${PAPER_KINDS[paper.paperKind][0]}。`,
      bizType: paper.kind,
      bizId: paper.partyId,
      villageId: paper.villageId,
      once: `paper.${paper.id}.${paper.endDay}`,
    });
  }
  return rows.length;
}

export default [
  job({ name: "paper.remind", title: "客户证照到期提醒", cron: "0 9 * * *", work: remindPapers }),
];
