-- One writing of a room: its last part is the number on the door with what is let behind it, 滨江店·3栋·1203-A.
create temp table room_renamed on commit drop as
  with recursive tree as (
    select r.id, r.full_name old, case when r.kind in ('room', 'bed')
        then regexp_replace(r.full_name, '·([^·]*)$', '-\1') else r.full_name end new
    from room r where r.parent_room_id is null
    union all
    select r.id, r.full_name, t.new || '-' || r.name from room r join tree t on r.parent_room_id = t.id)
  select id, old, new from tree where old <> new;
update room r set full_name = n.new from room_renamed n where r.id = n.id;
update contract_room c set name = n.new from room_renamed n where c.room_id = n.id and c.name = n.old;
update contract c set room_names = x.names
from (select r.contract_id, string_agg(r.name, '、' order by r.seq) names from contract_room r
  where r.contract_id in (select contract_id from contract_room join room_renamed n on n.id = room_id) group by 1) x
where c.id = x.contract_id and c.room_names <> '' and c.room_names <> x.names
  and length(c.room_names) = length(x.names);
