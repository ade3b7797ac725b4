-- Why keys to the rooms of a contract cannot be handed out today, or no row: another tenant still has one of them (lived), a
-- leaving is not through (leaving), or it is to be cleaned (dirty). A renewal's tenant lives in them already; one whose
-- successor has begun is out.
create or replace function handover_held(for_contract bigint, today date)
returns table (why text, room text) language sql stable as $$
  select w.why, r.full_name
  from contract c
  join occupancy_row mine on mine.contract_id = c.id
  join room r on r.id = mine.room_id
  cross join lateral (
    select 'lived' why, 1 rank
    where exists (
      select 1 from occupancy_row o join contract old on old.id = o.contract_id
      left join contract_room k on k.contract_id = old.id and k.room_id = o.let_room_id
      left join contract n on n.id = old.next_id and n.state = 'effective'
      where o.room_id = mine.room_id and o.kind = 'lease' and old.id <> c.id and in_force(old.state)
        and (old.handover_on is not null or old.state = 'expired')
        and (k.leave_date is null or k.leave_date > today)
        and (n.start_date is null or n.start_date > today)
        and not (c.source = 'renewal' and old.id = c.previous_id))
    union all
    select 'leaving', 2
    where exists (
      select 1 from room_leaving l where l.room_id = mine.room_id and l.ended_on is null and l.contract_id <> c.id)
    union all
    select 'dirty', 3
    where exists (select 1 from turnover u where u.room_id = mine.room_id and u.done_day is null)
  ) w
  where c.id = for_contract
  order by w.rank, r.full_name limit 1
$$;
