import { sql } from "kysely";
import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { recordById } from "../../domains/contract/contract/record.queries.ts";
import { saveDraft } from "../../domains/contract/drafting/draft.service.ts";
import { weighDraft } from "../../domains/contract/preview/preview.service.ts";
import { endAfter } from "../../domains/contract/schedule/months.rules.ts";
import { voidContract } from "../../domains/contract/signing/end.service.ts";
import { submit } from "../../domains/contract/signing/submit.service.ts";
import { DEFAULT_TERMS } from "../../domains/contract/terms/plans.rules.ts";
import { contractForm } from "../../domains/contract/terms/terms.contract.ts";
import type { Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import { Refusal } from "../../platform/kernel/refusal.ts";
import type { Act } from "../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../platform/server/pipeline/pipeline.ts";

type Place = { roomId: number; villageId: number; start: Day; list: Fen; lowest: Fen; partyId: number };

/** Contracts that are to be signed electronically; so many there are in the stores of who sends them. */
const SIGNINGS = 3;

/** Rooms of a person's stores that fall free in the next weeks, each with somebody who rents nothing now; what stands free now comes last. */
async function placesIn({ database: { db } }: House, operatorId: number, today: Day): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with free as (
      select r.id, r.village_id, greatest(coalesce(max(upper(o.period)), ${today}::date), ${today}::date + 3) start
      from room r left join occupancy_row o on o.room_id = r.id
      where r.village_id in (select unnest(village_ids) from operator where id = ${operatorId})
        and r.kind in ('whole', 'room') and not exists (
          select from contract_room k join contract c on c.id = k.contract_id
          where k.room_id = r.id and (c.state in ('draft', 'approving', 'signing', 'expired')
            or in_force(c.state) and (c.next_id is not null or exists (
              select from contract_act a where a.contract_id = c.id and a.kind <> 'settle' and act_is_open(a.state))
              or exists (select from renewal_follow f where f.contract_id = c.id and f.intent = 'willing'))))
      group by r.id
      having max(upper(o.period)) is null or not bool_or(upper_inf(o.period)) and max(upper(o.period)) < ${today}::date + 90),
    places as (
      select f.*, row_number() over (partition by f.village_id order by f.start, f.id) n, p.list_price list, p.lowest_price lowest
      from free f join lateral (
        select list_price, lowest_price from room_price q where q.room_id = f.id and q.effective_day <= ${today}::date
        order by q.effective_day desc limit 1) p on true),
    people as (
      select p.id, v.village_id, row_number() over (partition by v.village_id order by p.id) n
      from party p join renter t on t.id = p.id join party_village v on v.party_id = p.id
      where t.merged_into_id is null and t.cert_no_masked ~ '[0-9X]{4}$' and p.phone ~ '^1[3-9][0-9]{9}$'
        and t.birthday < ${today}::date - interval '19 years' and not exists (
          select from contract c where c.party_id = p.id and (in_force(c.state) or c.state in ('draft', 'approving', 'signing')))
        and not exists (select from reservation x where x.party_id = p.id)
        and not exists (select from black_list b where b.active and (b.phone = p.phone or b.cert_no_hash = t.cert_no_hash)))
    select f.id "roomId", f.village_id "villageId", f.start::text start, f.list::bigint list, f.lowest::bigint lowest, p.id "partyId"
    from places f join people p on p.village_id = f.village_id and p.n = f.n order by f.start <= ${today}::date + 3, f.start, f.id`.execute(
    db,
  );
  return rows;
}

/** Hands in a contract over a year, at the list price or as far below the lowest as somebody must approve. */
async function handIn(act: Act, place: Place, below: boolean): Promise<{ id: number; version: number }> {
  const { roomId, villageId, partyId, start, list, lowest } = place;
  const form = contractForm.parse({
    ...DEFAULT_TERMS,
    kind: "renter",
    ...{ villageId, partyId, start, end: endAfter(start, 12) },
    rooms: [{ roomId, monthlyRent: below ? lowest - 10_000 : list }],
    cycleMonths: 1,
    occupants: [],
    managerId: act.who.operatorId,
    signerId: act.who.operatorId,
    remark: below ? "租客一次付清半年，申请优惠" : "",
  });
  const { id } = await saveDraft(act, form);
  const { preview } = await weighDraft(act, (await recordById(act, id))!);
  return submit(act, id, { previewHash: preview.previewHash });
}

/**
 * Who comes to live in rooms that are free soon: one whose contract was given up, one whose rent somebody must approve, and as many
 * that wait for their signature as the signings of the demo need. Each stays undone where no room is free.
 */
export async function makeNewcomers(house: House, clerk: number, today: Day): Promise<void> {
  const { db, pool } = house.database;
  const who = await whoActs(db, clerk);
  const may = async (work: (act: Act) => Promise<unknown>): Promise<void> => {
    try {
      await db
        .transaction()
        .execute((tx) =>
          work(actOf({ ...house }, tx, who, { requestId: "demo", ip: "127.0.0.1", userAgent: "demo" })),
        );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
  const places = await placesIn(house, clerk, today);
  const [first] = places;
  if (!first) return;
  await may(async (act) => {
    const { id, version } = await handIn(act, first, false);
    await voidContract(act, id, { reason: "租客工作地点变动，未付款前取消", version });
  });
  await may((act) => handIn(act, first, true));
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int n from contract c where state = 'signing' and village_id = any($1)
       and not exists (select from contract_act a where a.result_contract_id = c.id)`,
    [who.villages],
  );
  for (const place of places.slice(1, 1 + Math.max(0, SIGNINGS - rows[0]!.n)))
    await may((act) => handIn(act, place, false));
}
