-- Why a contract's tenant cannot move into a leaf room today, or null: another tenant still has it (lived), a leaving is not
-- through (leaving), or it is to be cleaned (dirty). A renewal's tenant lives in it already; one whose successor has begun
-- is out, and so is who swaps rooms with this one.
create or replace function room_held(leaf bigint, for_contract bigint, today date) returns text language sql stable as $$
  select case
    when exists (
      select 1 from occupancy_row o join contract old on old.id = o.contract_id
      join contract c on c.id = for_contract
      left join contract_room k on k.contract_id = old.id and k.room_id = o.let_room_id
      left join contract n on n.id = old.next_id and n.state = 'effective'
      where o.room_id = leaf and o.kind = 'lease' and old.id <> c.id and in_force(old.state)
        and (old.handover_on is not null or old.state = 'expired')
        and (k.leave_date is null or k.leave_date > today)
        and (n.start_date is null or n.start_date > today)
        and not (c.source = 'renewal' and old.id = c.previous_id)
        and not (c.start_date <= today and old.id = coalesce((c.terms -> 'takeOver' ->> 'swapWith')::bigint, 0))) then 'lived'
    when exists (
      select 1 from room_leaving l
      where l.room_id = leaf and l.ended_on is null and l.contract_id <> for_contract) then 'leaving'
    when exists (select 1 from turnover u where u.room_id = leaf and u.done_day is null) then 'dirty' end
$$;

-- The gravest of that over the rooms of a contract, or no row: then their keys can be handed out.
create or replace function handover_held(for_contract bigint, today date)
returns table (why text, room text) language sql stable as $$
  select h.why, r.full_name
  from occupancy_row mine join room r on r.id = mine.room_id
  cross join lateral (select room_held(mine.room_id, for_contract, today) why) h
  where mine.contract_id = for_contract and h.why is not null
  order by array_position(array['lived', 'leaving', 'dirty'], h.why), r.full_name limit 1
$$;
