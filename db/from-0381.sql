-- Brings a database of release 7.0 (its last migration was 0381) to the tables of this folder. The product does it once, at its start.
drop function make_room_status_of();

-- The search over everything finds rooms by any part of their initials, and by the beginning of their own number.
create index room_pinyin on room using gin (pinyin gin_trgm_ops);
create index room_pinyin_begins on room (pinyin text_pattern_ops);
create index room_number_begins on room (name text_pattern_ops);

-- What becomes of a contract whose renter's certificate has not been checked: whoever signs is asked, or it is refused.
alter table contract_config add column verify_rule text not null default 'warn'
  constraint contract_config_verify_rule_check check (verify_rule in ('warn', 'refuse'));

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
