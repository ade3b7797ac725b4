import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { roomsCleaned } from "../../listing/turnover/turnover.contract.ts";
import { tell } from "../../system/message/message.service.ts";
import { ariseCommissions } from "../commission/arise.service.ts";
import { IDLING_STATES, daysToPool } from "./lead-list.queries.ts";
import { contractSigned } from "./lead.contract.ts";
import { LIVE } from "./lead.rules.ts";
import { addEvent, noteLead } from "./lead.service.ts";

type Idle = {
  id: number;
  number: string;
  name: string;
  villageIds: number[];
  ownerId: number;
  ownerName: string;
  left: number;
};

/**
 * Leads that nobody has followed up for as long as their stores allow lose their owner; who had them is told the day
 * before and on the day.
 */
export async function fallIntoPool(act: Act): Promise<number> {
  const { rows } = await sql<Idle>`
    select * from (
      select l.id, l.number, l.name, l.village_ids "villageIds", l.owner_id "ownerId", o.real_name "ownerName",
        ${daysToPool(act)} "left"
      from lead l join operator o on o.id = l.owner_id for no key update of l) idle
    where "left" <= 1 order by id`.execute(act.tx);
  let fallen = 0;
  for (const lead of rows) {
    const falls = lead.left <= 0;
    const about = { to: [lead.ownerId], type: 4 as const, bizType: "lead", bizId: lead.id };
    if (!falls) {
      await tell(act, {
        ...about,
        title: `客源${lead.name}明天转入公海`,
        content: `客源${lead.name}（${lead.number}）已多日没有跟进，明天凌晨将转入公海，请及时跟进。`,
        once: `lead.idle.${lead.id}.${act.today}`,
      });
      continue;
    }
    await act.tx
      .updateTable("lead")
      .set({
        ownerId: null,
        ownedAt: null,
        poolAt: act.now.toISOString(),
        version: NEXT_VERSION,
      })
      .where("id", "=", lead.id)
      .execute();
    const content = `${lead.ownerName}长时间未跟进，自动转入公海`;
    await addEvent(act, [lead.id], { kind: "system", content });
    await noteLead(act, lead, { action: "转入公海", summary: `客源${lead.name}：${content}` });
    await tell(act, {
      ...about,
      title: `客源${lead.name}已转入公海`,
      content: `客源${lead.name}（${lead.number}）${content}。`,
      once: `lead.pool.${lead.id}.${act.today}`,
    });
    fallen++;
  }
  return fallen;
}

/** Whoever signs a contract in one of a lead's stores, as its renter or under its phone, is won. */
export async function signLeads(act: Act, contractIds: readonly number[]): Promise<void> {
  if (!contractIds.length) return;
  const { rows } = await sql<{ id: number; number: string; name: string; villageIds: number[]; no: string }>`
    update lead l set state = 'signed', signed_at = ${act.now.toISOString()}, next_follow_day = null,
      renter_id = case when l.company_id is null and l.merchant_id is null then coalesce(l.renter_id, r.id) end, contract_id = c.id, version = l.version + 1
    from contract_brief c join party p on p.id = c.party_id left join renter r on r.id = p.id
    where c.id = any(${contractIds as number[]}::bigint[]) and c.village_id = any(l.village_ids)
      and l.enterprise_id = p.enterprise_id and (p.id in (l.renter_id, l.company_id, l.merchant_id) or l.phone = p.phone)
      and l.state = any(${LIVE as readonly string[] as string[]}::text[])
    returning l.id, l.number, l.name, l.village_ids "villageIds", c.contract_no "no"`.execute(act.tx);
  for (const lead of rows) {
    await addEvent(act, [lead.id], { kind: "system", content: `签订合同 ${lead.no}` });
    await noteLead(act, lead, { action: "签约", summary: `客源${lead.name}签订合同 ${lead.no}` });
  }
}

type Match = { ownerId: number; roomId: number; villageId: number; roomName: string; leads: string[] };

/**
 * Rooms that are clean and free: whoever looks after somebody who wants such a room, of the store, kind, layout and
 * price, hears of it once.
 */
export async function tellOfCleaned(act: Act, roomIds: readonly number[], day: string): Promise<void> {
  const { rows } = await sql<Match>`
    select l.owner_id "ownerId", r.id "roomId", r.village_id "villageId", r.full_name "roomName",
      array_agg(l.name order by l.id) leads
    from room r join apartment a on a.id = r.apartment_id
    join room_status_of(${act.today}, ${act.today},
      array(select distinct village_id from room where id = ${anyOf(roomIds)}), ${roomIds as number[]}::bigint[]) s
      on s.room_id = r.id and s.occupancy = 'vacant' and s.condition = 'rentable'
    left join lateral (select p.list_price from room_price p where p.room_id = r.id and p.effective_day <= ${act.today}::date
      order by p.effective_day desc limit 1) p on true
    join lead l on l.village_ids @> array[r.village_id] and l.owner_id is not null and l.state = ${IDLING_STATES}
      and (l.kind is null or l.kind = r.kind)
      and (l.layout is null or l.layout::int = least(a.bedrooms, 4))
      and (l.budget_from is null or p.list_price >= l.budget_from)
      and (l.budget_to is null or p.list_price <= l.budget_to)
    where r.id = ${anyOf(roomIds)} group by 1, 2, 3, 4 order by 2, 1`.execute(act.tx);
  for (const { ownerId, roomId, villageId, roomName, leads } of rows)
    await tell(act, {
      to: [ownerId],
      type: 4,
      title: `${roomName} 已可入住，匹配 ${leads.length} 位客源`,
      content: `${day} 完成保洁。可推荐给：${leads.slice(0, 10).join("、")}${leads.length > 10 ? "等" : ""}`,
      bizType: "room",
      bizId: roomId,
      villageId,
      once: `room.cleaned.${roomId}.${day}.${ownerId}`,
    });
}

export default [
  job({ name: "lead.pool", title: "客源转入公海", cron: "0 2 * * *", work: fallIntoPool }),
  job({
    name: "lead.signed",
    on: contractSigned,
    work: async (act, data) => {
      const contractIds = data.contracts.map((c) => c.contractId);
      await signLeads(act, contractIds);
      // a lead that has become a contract has earned something for whoever brought it
      await ariseCommissions(act, contractIds);
    },
  }),
  job({
    name: "lead.cleaned",
    on: roomsCleaned,
    work: (act, data) => tellOfCleaned(act, data.roomIds, data.day),
  }),
];
