-- The rooms that tiles stand for (leaves) of a record that an approval is about: its own, or those of its contract.
create or replace function examine_rooms(of_kind text, of_id bigint) returns table (room_id bigint, village_id bigint) language sql stable as $$
with named as (
  select b.room_id id from bill_brief b where of_kind = 'bill' and b.id = of_id and b.room_id is not null
  union
  select k.room_id from bill_brief b join contract_room_brief k on k.contract_id = b.contract_id
    where of_kind = 'bill' and b.id = of_id and b.room_id is null
  union
  select k.room_id from contract_room_brief k where of_kind = 'contract' and k.contract_id = of_id
  union
  select l.room_id from price_change_line l where of_kind = 'priceChange' and l.change_id = of_id
  union
  select v.room_id from reservation_brief v where of_kind = 'reservation' and v.id = of_id
  union
  select f.room_id from refund_brief f where of_kind = 'refund' and f.id = of_id and f.room_id is not null
)
select r.id, r.village_id from named n join room r on r.id = n.id where r.is_leaf
union
select r.id, r.village_id from named n join room r on r.parent_room_id = n.id where r.is_leaf
union
select r.id, r.village_id from named n join room p on p.parent_room_id = n.id join room r on r.parent_room_id = p.id where r.is_leaf
$$;

-- Rooms of these villages with the approvals open on a day: those that wait now, and for a past day those decided since.
create or replace function rooms_waiting(d date, today date, villages bigint[])
returns table (room_id bigint, examine_id bigint) language sql stable as $$
select x.room_id, e.id from (
  select id, target_kind, target_id from examine where decided_at is null and submitted_at < d + 1
  union all
  select id, target_kind, target_id from examine where d < today and decided_at >= d + 1 and submitted_at < d + 1
) e
cross join lateral examine_rooms(e.target_kind, e.target_id) x
where d <= today and x.village_id = any (villages)
$$;

-- Live boards draw these rooms anew when an approval is handed in, decided or withdrawn.
create or replace function examine_changes_rooms() returns trigger language plpgsql as $$
begin
  insert into room_change (room_id, village_id)
  select x.room_id, x.village_id from examine_rooms(new.target_kind, new.target_id) x;
  return null;
end $$;

create or replace trigger examine_handed_in after insert on examine for each row execute function examine_changes_rooms();

create or replace trigger examine_decided after update of state on examine for each row
  when (old.state is distinct from new.state) execute function examine_changes_rooms();
