import { addDays } from "../platform/kernel/day.ts";
import { nobody } from "../platform/server/pipeline/act.ts";
import { openHouse } from "../platform/server/process/house.ts";
import { actOf } from "../platform/server/pipeline/pipeline.ts";
import { rollUp } from "../domains/listing/status/overview.queries.ts";
import type { Place } from "./place.ts";

/*
 * What a company of 100,000 rooms has gathered around them. The demo makes few of these because it makes them by the
 * acts of people; for measuring, rows of the right number and spread are enough.
 */
const OWNER = `(select id from operator where account = 'zulin01')`;
const village = (n: string) => `(select id from stores where at = 1 + ${n} % (select count(*) from stores))`;
const STORES = `with stores as materialized (select id, row_number() over (order by id) at from village)`;

const FILL: readonly string[] = [
  `insert into lead (number, enterprise_id, name, phone, source, village_ids, level, state, owner_id, owned_at, created_at,
     next_follow_day, last_follow_at, budget_from, budget_to, layout, lost_reason)
   ${STORES} select 'KYB' || n, 1, '客户' || n, '136' || lpad(n::text, 8, '0'), 'web', array[${village("n")}]::bigint[],
     (array['A','B','C'])[1 + n % 3], (array['signed','lost','lost','following','new'])[1 + n % 5],
     case when n % 7 = 0 and n % 5 > 2 then null else (select min(id) from operator) + n % 6 end, now(), now() - (n % 400) * interval '1 day',
     current_date + (n % 30) - 10, now() - (n % 30) * interval '1 day', 200000, 400000, '1',
     case when n % 5 in (1, 2) then '价格过高' else '' end
   from generate_series(1, 100000) n`,
  `with made as (
     insert into party (enterprise_id, kind, name, phone, created_at)
     select 1, case when n % 2 = 0 then 'company' else 'merchant' end, '量测商事' || n, '137' || lpad(n::text, 8, '0'),
       now() - (n % 900) * interval '1 day' from generate_series(1, 8000) n returning id, kind),
   numbered as (select id, kind, row_number() over (order by id) n from made),
   stores as materialized (select id, row_number() over (order by id) at from village),
   firms as (
     insert into firm (id, enterprise_id, kind, credit_code, number_hash, home_village_id)
     select id, 1, kind, '91330106' || lpad(n::text, 10, '0'), decode(md5('b' || n), 'hex'), ${village("n")} from numbered),
   contacts as (
     insert into party_contact (party_id, name, phone, main) select id, '联系人', '138' || lpad(n::text, 8, '0'), true from numbered),
   places as (
     insert into party_village (party_id, village_id, because, first_day) select id, ${village("n")}, 'home', current_date from numbered),
   companies as (
     insert into company (id, owner_id, credit_days, credit_limit) select id, ${OWNER}, 30, 5000000 from numbered where kind = 'company')
   insert into merchant (id, category, subject) select id, '餐饮', 'company' from numbered where kind = 'merchant'`,
  `insert into reservation (number, enterprise_id, village_id, party_id, room_id, state, move_in_day, hold_until, rent, earnest_kind,
     earnest, owner_id, held_at, held_on, ended_at, end_reason, created_at)
   select 'YDB' || n, 1, r.village_id, (select min(id) from party) + n, r.id, (array['lapsed','cancelled'])[1 + n % 2],
     current_date - (n % 700)::int, current_date - (n % 700)::int, 300000, '定金', 0, ${OWNER}, now(), current_date - (n % 700)::int, now(), '', now() - (n % 700) * interval '1 day'
   from (select id, village_id, row_number() over (order by id) n from room where is_leaf limit 40000) r`,
  `insert into viewing (number, enterprise_id, village_id, room_ids, name, phone, at, ends_at, assignee_id, source, state, result, viewed_at)
   select 'KFB' || n, 1, r.village_id, array[r.id], '客户' || n, '136' || lpad(n::text, 8, '0'), t, t + interval '30 minutes', ${OWNER}, 'lead', 'viewed', '满意', t
   from (select id, village_id, row_number() over (order by id) n from room where is_leaf limit 60000) r
   cross join lateral (select date_trunc('hour', now()) - n * interval '1 hour' t) x`,
  `insert into agency (enterprise_id, name, phone, village_ids, from_day, rule_id)
   ${STORES} select 1, '量测中介' || n, '0571-8800' || lpad(n::text, 4, '0'), array[${village("n")}]::bigint[], current_date - 700, (select min(id) from commission_rule)
   from generate_series(1, 200) n`,
  `insert into agent (enterprise_id, name, phone, agency_id, village_ids)
   ${STORES} select 1, '经纪' || n, '139' || lpad(n::text, 8, '0'), (select max(id) from agency) - n % 200, array[${village("n")}]::bigint[] from generate_series(1, 3000) n`,
  `insert into commission (number, enterprise_id, village_id, contract_id, kind, agent_id, rule_id, signed_on, base, amount, explain, payable_from, owner_id)
   select 'YJB' || n, 1, c.village_id, c.id, 'first', (select max(id) from agent) - n % 3000, (select min(id) from commission_rule), c.signed_on, 300000, 150000,
     (select explain from commission where kind = 'first' order by id limit 1), current_date - n::int % 300, ${OWNER}
   from (select id, village_id, current_date - 100 signed_on, row_number() over (order by id) n from contract c
     where not exists (select 1 from commission x where x.contract_id = c.id) limit 30000) c`,
  `with made as (
     insert into price_change (number, enterprise_id, village_ids, scope, scope_text, mode, value, apply_to, round, effective_day, reason,
       preview_hash, rooms, old_sum, new_sum, effect, state, submitted_by, submitted_at, applied_at, created_by, created_at)
     select 'TJB' || v.n, 1, array[v.id], jsonb_build_object('villageIds', array[v.id]), v.name, 'percent', 330, 'both', 'yuan',
       current_date - v.n::int, '季度调价', md5(v.n::text), 200, 60000000, 62000000, 2000000, 'scheduled', ${OWNER}, now(), now(), ${OWNER}, now() - v.n * interval '1 day'
     from (select id, name, row_number() over (order by k, id) n from village, generate_series(1, 6) k) v returning id, village_ids[1] village_id)
   insert into price_change_line (change_id, room_id, unit, old_list, old_lowest, new_list, new_lowest)
   select m.id, r.id, 'month', 300000, 270000, 310000, 280000
   from made m cross join lateral (select id from room where village_id = m.village_id and is_leaf order by id limit 200) r`,
  `insert into listing (channel_id, room_id, village_id, state, misses)
   select c.id, r.id, r.village_id, (array['pending','offline'])[1 + (r.id % 2)::int], array['缺少图片（至少 3 张）']
   from (select min(id) id from channel) c, (select id, village_id from room where is_leaf order by id limit 60000) r on conflict do nothing`,
  `with made as (
     insert into push_task (number, enterprise_id, title, category, channels, body, audience, village_ids, state, recipients, delivered, created_by, created_at)
     select 'TZB' || n, 1, '停水通知', 'notice', '{inApp}', '今晚停水', '{"kind":"renter"}', array(select min(id) from village), 'sent', 1000, 1000, ${OWNER},
       now() - n * interval '1 day' from generate_series(1, 300) n returning id)
   insert into push_recipient (task_id, party_id, channel, village_id, body, state)
   select m.id, p.party_id, 'inApp', p.village_id, '今晚停水', 'delivered'
   from made m cross join (select distinct on (party_id) party_id, village_id from party_village limit 1000) p`,
];

/** Days of rooms, which the nights of two years have counted: one night is counted, the others repeat it. */
const PAST_DAYS = `insert into village_day select d.* from village_day y cross join generate_series(1, 730) ago
  cross join lateral jsonb_populate_record(y, jsonb_build_object('day', y.day - ago)) d
  where y.day = $1 on conflict do nothing`;

/** Fills what is missing, once; answers whether it had to. Rows name the demo's own company and people. */
export async function fillAround(place: Place): Promise<boolean> {
  const { database } = place;
  const { owner: pool, db } = database;
  const { rows } = await pool.query("select 1 from lead where number like 'KYB%' limit 1");
  if (rows.length) return false;
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const text of FILL) await client.query(text);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
  const house = await openHouse(
    { ...place.settings, LOG_LEVEL: "silent" },
    {
      database,
      work: false,
    },
  );
  const act = actOf(house as never, db, nobody, { requestId: "bench", ip: "", userAgent: "" });
  const villages = (await pool.query<{ id: number }>("select id from village")).rows.map((v) => v.id);
  const yesterday = addDays(act.today, -1);
  await rollUp(act, yesterday, villages);
  await house.app.close();
  await pool.query(PAST_DAYS, [yesterday]);
  await pool.query("analyze");
  return true;
}
