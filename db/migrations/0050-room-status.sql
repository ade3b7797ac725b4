-- The status of rooms at a day: three axes, each derived, never typed in. The board, lists, reports and roll-ups all use it.
-- Facts carry their own days (signed, moved in, left, blocked, cleaned), so a past day reads as it was.
-- today tells past from future: a future day knows timeline rows only, no flags and no holding over.
create function room_status_at(d date, today date, villages bigint[])
returns table (
  room_id bigint, village_id bigint, occupancy text, condition text, is_let boolean,
  contract_id bigint, party_id bigint, since date, until date,
  next_kind text, next_from date, next_contract_id bigint, vacant_since date,
  arrears_fen bigint, signing boolean, unsettled boolean)
language sql stable as $$
with stock as (
  select r.id, r.village_id, r.first_day, v.state village_state, v.closed_day
  from room r join village v on v.id = r.village_id
  where r.village_id = any (villages) and r.is_leaf and r.first_day <= d and (r.retired_day is null or r.retired_day > d)
), taken as (
  select o.room_id, o.kind, o.block_id, o.contract_id, lower(o.period) from_day, upper(o.period) - 1 to_day,
    c.party_id, c.end_date, c.handover_on, c.leave_date, c.signed_on, c.next_id, c.state
  from occupancy_row o left join contract c on c.id = o.contract_id
  where o.village_id = any (villages)
), possession as (
  select distinct on (t.room_id) t.*, n.signed_on next_signed_on
  from taken t left join contract n on n.id = t.next_id
  where t.kind = 'lease' and (t.leave_date is null or t.leave_date >= d)
    and case when d > today then t.from_day <= d and (t.to_day is null or t.to_day >= d) else t.handover_on <= d end
  order by t.room_id, t.from_day desc
), covered as (
  select t.room_id, t.contract_id, t.party_id, t.from_day, t.to_day from taken t
  where t.kind = 'lease' and t.from_day <= d and (t.to_day is null or t.to_day >= d) and coalesce(t.signed_on, t.from_day) <= d
), coming as (
  select distinct on (t.room_id) t.room_id, t.kind, t.from_day, t.to_day, t.contract_id, t.party_id
  from taken t
  where (t.kind = 'lease' and t.from_day > d and coalesce(t.signed_on, t.from_day) <= d)
     or (t.kind = 'reservation' and (t.to_day is null or t.to_day >= d))
  order by t.room_id, t.from_day
), ended as (
  select t.room_id, max(least(t.to_day, coalesce(t.leave_date, t.to_day))) to_day
  from taken t where t.kind = 'lease' and t.to_day < d group by 1
), blocked as (
  select distinct on (t.room_id) t.room_id, b.reason, t.from_day, t.to_day
  from taken t join room_block b on b.id = t.block_id
  where t.kind = 'block' and t.from_day <= d and (t.to_day is null or t.to_day >= d)
  order by t.room_id, t.from_day
), dirty as (
  select u.room_id from turnover u where u.opened_day <= d and (u.done_day is null or u.done_day > d)
), owed as (
  select b.contract_id, sum(b.outstanding)::bigint fen from bill b
  where d = today and b.village_id = any (villages) and b.outstanding > 0 and b.due_date < d and b.direction = 'receivable'
    and b.contract_id is not null
  group by 1
  union all
  select b.contract_id, sum(b.amount + b.adjusted - coalesce(a.settled, 0))::bigint from bill b
  left join (select bill_id, sum(amount) settled from allocation where village_id = any (villages) and date <= d group by 1) a
    on a.bill_id = b.id
  where d < today and b.village_id = any (villages) and b.due_date < d and b.direction = 'receivable'
    and b.contract_id is not null and (b.voided_at is null or b.voided_at::date > d)
  group by 1 having sum(b.amount + b.adjusted - coalesce(a.settled, 0)) > 0
)
select s.id, s.village_id,
  case
    when p.room_id is not null and d <= today and p.end_date < d then 'holdingOver'
    when p.room_id is not null and p.end_date - d <= 30 and (p.next_signed_on is null or p.next_signed_on > d) then 'expiring'
    when p.room_id is not null then 'occupied'
    when c.room_id is not null or n.kind = 'lease' then 'toMoveIn'
    when n.kind = 'reservation' then 'reserved'
    else 'vacant' end,
  case
    when (s.village_state = 'closed' and s.closed_day <= d) or b.reason = 'offline' then 'offline'
    when b.reason in ('maintenance', 'fitOut') then 'maintenance'
    when b.reason in ('selfUse', 'sample') then 'selfUse'
    when w.room_id is not null then 'dirty'
    else 'rentable' end,
  c.room_id is not null or (p.room_id is not null and d <= today and p.end_date < d),
  coalesce(p.contract_id, c.contract_id, n.contract_id),
  coalesce(p.party_id, c.party_id, n.party_id),
  coalesce(p.from_day, c.from_day, n.from_day, b.from_day, e.to_day + 1, s.first_day),
  case when p.room_id is not null then p.end_date when c.room_id is not null then c.to_day
       when n.room_id is not null then n.to_day else b.to_day end,
  case when p.room_id is not null or c.room_id is not null then n.kind end,
  n.from_day,
  case when p.room_id is not null or c.room_id is not null then n.contract_id end,
  case when p.room_id is null and c.room_id is null then coalesce(e.to_day + 1, s.first_day) end,
  case when d <= today then coalesce(o.fen, 0) else 0 end,
  d <= today and n.kind = 'reservation',
  d <= today and p.room_id is not null and p.end_date < d
from stock s
left join possession p on p.room_id = s.id
left join covered c on c.room_id = s.id
left join coming n on n.room_id = s.id
left join ended e on e.room_id = s.id
left join blocked b on b.room_id = s.id
left join dirty w on w.room_id = s.id
left join owed o on o.contract_id = coalesce(p.contract_id, c.contract_id)
$$;
