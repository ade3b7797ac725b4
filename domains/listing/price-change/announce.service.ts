import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { followAgain } from "./follow-again.service.ts";
import { openText } from "./change.rules.ts";
import { valueOf } from "./change.queries.ts";
import type { ApplyTo, Mode, Round } from "./words.rules.ts";

type Change = {
  id: number;
  number: string;
  mode: string;
  value: number | null;
  applyTo: string;
  round: string;
  effectiveDay: string;
  reason: string;
  ruleText: string | null;
  undoOf: number | null;
};

/** New prices count from today: the manager of each village is told, rooms whose price was rolled back follow again; boards draw the rooms anew. Once per change. */
export async function announce(act: Act, change: Change): Promise<void> {
  const { id, number, effectiveDay, reason } = change;
  const rule =
    change.ruleText ??
    openText({
      mode: change.mode as Mode,
      value: valueOf(change.mode, change.value),
      applyTo: change.applyTo as ApplyTo,
      round: change.round as Round,
    });
  const { rows } = await sql<{ villageId: number; name: string; managerId: number | null; rooms: number }>`
    select v.id "villageId", v.name, v.manager_id "managerId", count(*) rooms
    from price_change_line l join room r on r.id = l.room_id join village v on v.id = r.village_id
    where l.change_id = ${id} and not l.skipped group by v.id order by v.id`.execute(act.tx);
  for (const { villageId, name, managerId, rooms } of rows)
    if (managerId !== null)
      await tell(act, {
        to: [managerId],
        type: 7,
        title: `${name} ${rooms} 间房今日起执行新价格`,
        content: `调价单 ${number}（${rule}）自 ${effectiveDay} 起生效。原因：${reason}。已签合同和已预订的价格不变。`,
        bizType: "priceChange",
        bizId: id,
        villageId,
        once: `price.announce.${id}.${villageId}`,
      });
  await followAgain(act, change);
  const { rows: touched } = await sql<{ roomId: number; villageId: number }>`
    select l.room_id "roomId", r.village_id "villageId" from price_change_line l join room r on r.id = l.room_id
    where l.change_id = ${id} and not l.skipped`.execute(act.tx);
  await changed(act, touched);
  await act.tx
    .updateTable("priceChange")
    .set({ announcedAt: act.now.toISOString() })
    .where("id", "=", id)
    .execute();
}

/** Changes that count from today on, or from a day on which nobody was told. */
export async function announceDue(act: Act): Promise<number> {
  const due = await act.tx
    .selectFrom("priceChange")
    .selectAll()
    .where("state", "=", "scheduled")
    .where("effectiveDay", "<=", act.today)
    .where("announcedAt", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const change of due) await announce(act, change);
  return due.length;
}
