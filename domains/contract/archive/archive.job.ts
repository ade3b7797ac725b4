import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { readArchives } from "./archive.queries.ts";
import { archiveNote } from "./archive.service.ts";
import { CHANGED, verify } from "./file.service.ts";

/** Reminds of what is overdue, once a day: who has it, and who handed it out. */
export async function remindOverdue(act: Act): Promise<number> {
  const { rows } = await sql<{ id: number; loanId: number }>`
    select archive_id id, id "loanId" from archive_loan
    where returned_on is null and due_on < ${act.today}::date and reminded_on is distinct from ${act.today}::date
    order by id`.execute(act.tx);
  const known = new Map(
    (
      await readArchives(
        act,
        rows.map((row) => row.id),
      )
    ).map((a) => [a.id, a]),
  );
  for (const { id, loanId } of rows) {
    const a = known.get(id)!;
    await tell(act, {
      to: [a.borrowerId!, a.lentBy!],
      type: 3,
      title: `档案 ${a.archiveNo} 逾期未还`,
      content: `${a.borrowerName}借出的${a.partyName}合同 ${a.contractNo} 应于 ${a.dueOn} 归还，已逾期 ${daysBetween(a.dueOn!, act.today)} 天。`,
      bizType: "archive",
      bizId: a.id,
      villageId: a.villageId,
      facts: [
        ["门店", a.villageName],
        ["借阅人", a.borrowerName!],
        ["应还日", a.dueOn!],
      ],
      once: `archive.overdue.${loanId}.${act.today}`,
    });
    await act.tx.updateTable("archiveLoan").set({ remindedOn: act.today }).where("id", "=", loanId).execute();
  }
  return rows.length;
}

const BATCH = 200;
type Break = { archiveNo: string; contractNo: string };

/** Every electronic original once a year: a store's manager hears of those whose file is not what was signed. */
export async function checkFiles(act: Act): Promise<number> {
  const broken = new Map<number, Break[]>();
  let last = 0;
  let checked = 0;
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      select id from contract_archive where id > ${last} and medium = 'electronic' and state <> 'destroyed'
      order by id limit ${BATCH}`.execute(act.tx);
    if (!rows.length) break;
    for (const a of await readArchives(
      act,
      rows.map((row) => row.id),
    )) {
      checked++;
      if ((await verify(act, a)).same) continue;
      await act.note(archiveNote(a, "验签", CHANGED));
      broken.set(a.villageId, [...(broken.get(a.villageId) ?? []), a]);
    }
    last = rows.at(-1)!.id;
  }
  for (const [villageId, breaks] of broken) {
    const { name, managerId } = await act.tx
      .selectFrom("village")
      .select(["name", "managerId"])
      .where("id", "=", villageId)
      .executeTakeFirstOrThrow();
    await tell(act, {
      to: [managerId],
      type: 3,
      title: `${name} ${breaks.length} 份电子档案验签异常`,
      content: breaks.map((b) => `${b.archiveNo}（合同 ${b.contractNo}）${CHANGED}`).join("；"),
      villageId,
      facts: [
        ["门店", name],
        ["异常", `${breaks.length} 份`],
      ],
      once: `archive.broken.${villageId}.${act.today}`,
    });
  }
  return checked;
}

export default [
  job({ name: "archive.overdue", title: "档案逾期提醒", cron: "30 8 * * *", work: remindOverdue }),
  job({ name: "archive.files", title: "电子档案年度验签", cron: "0 3 2 1 *", work: checkFiles }),
];
