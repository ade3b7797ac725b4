-- The status of rooms on a day, derived from the timeline, the contracts, what is owed, blocks and cleaning. With `given`
-- only of `rooms`: the planner drops the condition where the flag is a constant, as it is in both functions below.
create or replace function room_status_text(
  d date, today date, villages bigint[], rooms bigint[], given boolean, expiring_days int)
returns table (
  room_id bigint, village_id bigint, occupancy text, condition text, is_base boolean, is_let boolean,
  contract_id bigint, party_id bigint, let_room_id bigint, since date, until date,
  next_kind text, next_from date, next_to date, next_contract_id bigint, vacant_since date,
  block_id bigint, block_until date, turnover_id bigint,
  arrears boolean, arrears_fen bigint, signing boolean, unsettled boolean)
language sql stable as $$
with stock as (
  select r.id, r.village_id, r.first_day, v.state = 'closed' and v.closed_day <= d or v.closed_days @> d closed
  from room r join village v on v.id = r.village_id
  where r.village_id = any (villages) and (not given or r.id = any (rooms))
    and r.is_leaf and r.first_day <= d and not_retired(r.retired_day, d)
), kept as (
  -- what still runs or comes, and of what is over the last lease of each room: no earlier one can still be lived in
  select o.room_id, o.let_room_id, o.kind, o.block_id, o.contract_id, o.period, o.taken_on
  from occupancy_row o
  where o.village_id = any (villages) and (not given or o.room_id = any (rooms)) and o.period && daterange(d, null)
  union all
  select * from (
    select distinct on (o.room_id) o.room_id, o.let_room_id, o.kind, o.block_id, o.contract_id, o.period, o.taken_on
    from occupancy_row o
    where o.village_id = any (villages) and (not given or o.room_id = any (rooms)) and o.kind = 'lease'
      and o.period << daterange(d, null)
    order by o.room_id, o.period desc) over_by_then
), rows_at as (
  select k.*, true live from kept k
  union all
  select e.room_id, e.let_room_id, e.kind, e.block_id, e.contract_id, e.period, e.taken_on, false
  from occupancy_ended e
  where e.village_id = any (villages) and (not given or e.room_id = any (rooms)) and e.taken_on <= d and e.ended_on > d
), taken as (
  select o.room_id, o.let_room_id, o.kind, o.block_id, o.contract_id, o.taken_on, o.live,
    lower(o.period) from_day, upper(o.period) - 1 to_day, o.period @> d covers,
    c.party_id, c.end_date, c.handover_on, coalesce(k.leave_date, c.leave_date) left_on,
    -- what the row was on that day: a lease that was signed later stood as a hold until then
    case when o.kind = 'lease' and coalesce(c.signed_on, o.taken_on) > d then
           case when o.taken_on <= d then 'reservation' end
         when o.kind = 'reservation' and o.taken_on > d then null
         else o.kind end kind_then,
    n.start_date next_start, n.source = 'renewal' and n.signed_on <= d renewed, n.signed_on <= d next_signed
  from rows_at o
  left join contract_brief c on c.id = o.contract_id
  left join lateral (
    select leave_date from contract_room_brief where contract_id = o.contract_id and room_id = o.let_room_id limit 1) k on true
  left join contract_brief n on n.id = c.next_id and n.state <> 'voided'
), possession as (
  select distinct on (t.room_id) t.* from taken t
  where t.kind = 'lease'
    and case when d > today then t.covers
        else t.handover_on <= d and (t.left_on is null or t.left_on >= d)
          and not (coalesce(t.next_signed, false) and t.next_start <= d) end
  order by t.room_id, t.live desc, t.from_day desc
), covered as (
  select distinct on (t.room_id) t.* from taken t where t.kind = 'lease' and t.covers
  order by t.room_id, t.live desc, t.from_day desc
), lease_ahead as (
  select distinct on (t.room_id) t.* from taken t where t.kind_then = 'lease' and t.from_day > d
  order by t.room_id, t.from_day
), held as (
  select distinct on (t.room_id) t.* from taken t
  where t.kind_then = 'reservation' and (t.to_day is null or t.to_day >= d)
  order by t.room_id, t.from_day
), leaving as (
  select l.room_id, l.let_room_id, l.contract_id, c.party_id, c.start_date, c.end_date
  from room_leaving l join contract_brief c on c.id = l.contract_id
  where l.village_id = any (villages) and (not given or l.room_id = any (rooms))
    and d <= today and l.applied_on <= d and (l.ended_on is null or l.ended_on > d)
), open_money as (
  select l.room_id from room_leaving l join contract_brief c on c.id = l.contract_id
  left join contract_room_brief k on k.contract_id = l.contract_id and k.room_id = l.let_room_id
  where l.village_id = any (villages) and (not given or l.room_id = any (rooms)) and not l.withdrawn
    and d <= today and l.applied_on <= d and (l.closed_on is null or l.closed_on > d)
    and least(coalesce(k.leave_date, c.leave_date), c.end_date) < d
), ended as (
  select t.room_id, max(coalesce(t.left_on, t.to_day)) last_day
  from taken t where t.kind = 'lease' and coalesce(t.left_on, t.to_day) < d group by 1
), blocked as (
  select distinct on (t.room_id) t.room_id, t.block_id, b.reason, t.from_day, t.to_day
  from taken t join room_block b on b.id = t.block_id
  where t.kind = 'block' and t.covers
  order by t.room_id, t.live desc, t.from_day
), dirty as (
  select u.room_id, max(u.id) id from turnover u
  where u.village_id = any (villages) and (not given or u.room_id = any (rooms))
    and u.opened_day <= d and (u.done_day is null or u.done_day > d) group by 1
), theirs as (
  select contract_id from taken where contract_id is not null union select contract_id from leaving
), owed as (
  select b.contract_id, b.room_id, sum(b.outstanding)::bigint fen from receivable_open b
  where d = today and b.village_id = any (villages) and (not given or b.contract_id = any (array(select contract_id from theirs)))
    and b.due_date < d and b.contract_id is not null
  group by 1, 2
  union all
  select b.contract_id, b.room_id, sum(b.outstanding)::bigint from owing_at(d, villages) b
  where d < today and (not given or b.contract_id = any (array(select contract_id from theirs))) and b.contract_id is not null
  group by 1, 2
), standing as (
  select s.id, s.village_id, s.first_day, s.closed, p.room_id is not null or l.room_id is not null in_hands,
    p.room_id possessed, c.room_id covered, l.room_id leaving, a.room_id ahead, h.room_id held, h.contract_id hold_contract,
    coalesce(p.contract_id, l.contract_id, c.contract_id, a.contract_id, h.contract_id) contract_id,
    coalesce(p.party_id, l.party_id, c.party_id, a.party_id, h.party_id) party_id,
    coalesce(p.let_room_id, l.let_room_id, c.let_room_id, a.let_room_id, h.let_room_id) let_room_id,
    coalesce(p.from_day, l.start_date, c.from_day, a.from_day, h.from_day) from_day,
    case when p.room_id is not null then case when d > today then p.to_day else p.end_date end
         when l.room_id is not null then l.end_date
         when c.room_id is not null then c.to_day
         when a.room_id is not null then a.to_day else h.to_day end to_day,
    coalesce(p.renewed, false) renewed,
    -- the next taker: somebody who waits while another is still in, or who comes later
    case when p.room_id is not null and c.contract_id is distinct from p.contract_id and c.room_id is not null then c.from_day end waits_from,
    c.to_day waits_to, c.contract_id waits_contract,
    a.from_day ahead_from, a.to_day ahead_to, a.contract_id ahead_contract,
    h.from_day held_from, h.to_day held_to
  from stock s
  left join possession p on p.room_id = s.id
  left join covered c on c.room_id = s.id
  left join lease_ahead a on a.room_id = s.id
  left join held h on h.room_id = s.id
  left join leaving l on l.room_id = s.id
)
select s.id, s.village_id, o.word,
  k.word, k.word in ('rentable', 'dirty'),
  s.covered is not null or (s.possessed is not null and d <= today and s.to_day < d),
  s.contract_id, s.party_id, s.let_room_id,
  coalesce(s.from_day, b.from_day, e.last_day + 1, s.first_day),
  coalesce(s.to_day, b.to_day),
  case z.who when 'held' then 'reservation' else case when z.who is not null then 'lease' end end, y.from_day,
  case z.who when 'waits' then s.waits_to when 'ahead' then s.ahead_to when 'held' then s.held_to end,
  case z.who when 'waits' then s.waits_contract when 'ahead' then s.ahead_contract when 'held' then s.hold_contract end,
  case when s.possessed is null and s.covered is null and s.leaving is null then coalesce(e.last_day + 1, s.first_day) end,
  b.block_id, b.to_day, w.id,
  d <= today and coalesce(r.fen, q.fen, 0) > 0,
  -- several leaves of one contract: the first carries the amount, so that rooms add up
  case when d > today or coalesce(r.fen, q.fen) is null
         or exists (select 1 from occupancy_row o where o.contract_id = s.contract_id and o.let_room_id = s.let_room_id and o.room_id < s.id) then 0
       else coalesce(r.fen, 0) + case when exists (select 1 from contract_room_brief k where k.contract_id = s.contract_id
         and k.room_id < s.let_room_id and (k.leave_date is null or k.leave_date >= d)) then 0 else coalesce(q.fen, 0) end end,
  d <= today and s.held is not null and s.hold_contract is not null,
  d <= today and ((s.possessed is not null and s.to_day < d) or m.room_id is not null)
from standing s
left join ended e on e.room_id = s.id
left join blocked b on b.room_id = s.id
left join dirty w on w.room_id = s.id
left join (select distinct room_id from open_money) m on m.room_id = s.id
-- a bill names its room, or the contract as a whole
left join owed r on r.contract_id = s.contract_id and r.room_id = s.let_room_id
left join owed q on q.contract_id = s.contract_id and q.room_id is null
cross join lateral (select case
    when s.leaving is not null then 'leaving'
    when s.possessed is not null and d <= today and s.to_day < d then 'holdingOver'
    when s.possessed is not null and s.to_day - d <= expiring_days and not s.renewed then 'expiring'
    when s.possessed is not null then 'occupied'
    when s.covered is not null or s.ahead is not null then 'toMoveIn'
    when s.held is not null then 'reserved'
    else 'vacant' end word) o
cross join lateral (select case
    when s.closed or b.reason = 'offline' then 'offline'
    when b.reason in ('maintenance', 'fitOut') then 'maintenance'
    when b.reason in ('selfUse', 'sample') then 'selfUse'
    when w.room_id is not null then 'dirty'
    else 'rentable' end word) k
cross join lateral (select least(
    s.waits_from,
    case when s.in_hands or s.covered is not null then s.ahead_from end,
    case when s.in_hands or s.covered is not null or s.ahead is not null then s.held_from end) from_day) y
cross join lateral (select
    case y.from_day when s.waits_from then 'waits' when s.ahead_from then 'ahead' when s.held_from then 'held' end who) z
$$;

-- Of whole stores, or of the rooms given, with a plan of its own for each question.
create or replace function room_status_at(d date, today date, villages bigint[], rooms bigint[] default null, expiring_days int default 30)
returns table (
  room_id bigint, village_id bigint, occupancy text, condition text, is_base boolean, is_let boolean,
  contract_id bigint, party_id bigint, let_room_id bigint, since date, until date,
  next_kind text, next_from date, next_to date, next_contract_id bigint, vacant_since date,
  block_id bigint, block_until date, turnover_id bigint,
  arrears boolean, arrears_fen bigint, signing boolean, unsettled boolean)
language sql stable as $$
  select * from room_status_text(d, today, villages, rooms, rooms is not null, expiring_days)
$$;

-- Of the rooms of a page, with one plan for all pages: planning anew costs four times what twenty rooms cost.
create or replace function room_status_of(d date, today date, villages bigint[], rooms bigint[] default null, expiring_days int default 30)
returns table (
  room_id bigint, village_id bigint, occupancy text, condition text, is_base boolean, is_let boolean,
  contract_id bigint, party_id bigint, let_room_id bigint, since date, until date,
  next_kind text, next_from date, next_to date, next_contract_id bigint, vacant_since date,
  block_id bigint, block_until date, turnover_id bigint,
  arrears boolean, arrears_fen bigint, signing boolean, unsettled boolean)
language sql stable set plan_cache_mode = force_generic_plan set max_parallel_workers_per_gather = 0 as $$
  select * from room_status_text(d, today, villages, rooms, true, expiring_days)
$$;
