-- Places in the order in which people walk through them (2栋 before 10栋), kept ready so that long lists need no join to sort.
alter table apartment add column place text collate "C" not null default '';
alter table room add column place text collate "C" not null default '';
create index apartment_place on apartment (village_id, place, id);
create index room_place on room (village_id, place, id);

-- A flat or room that has left the stock gives its name back; what it was stays for as-of questions.
alter table apartment drop constraint apartment_building_id_unit_id_name_key;
create unique index apartment_name_once on apartment (building_id, unit_id, name) nulls not distinct where retired_day is null;
alter table room drop constraint room_apartment_id_name_key;
create unique index room_name_once on room (apartment_id, name) where retired_day is null;
create index room_apartment on room (apartment_id);

-- The day from which the rent mode counts; until then the rooms of the old one stand.
alter table apartment add column rent_mode_from date;

-- What an import made can be taken back.
alter table building add column import_id bigint references room_import;
alter table unit add column import_id bigint references room_import;
alter table floor add column import_id bigint references room_import;
create index building_import on building (import_id) where import_id is not null;
create index unit_import on unit (import_id) where import_id is not null;
create index floor_import on floor (import_id) where import_id is not null;
create index floor_unit on floor (unit_id) where unit_id is not null;
