-- Deleting a place asks every table that may refer to it; taking back an import of ten thousand rooms asks ten thousand times.
create index apartment_unit on apartment (building_id, unit_id);
create index apartment_unit_reference on apartment (unit_id) where unit_id is not null;
create index contract_occupant_of_room on contract_occupant (room_id) where room_id is not null;
create index bill_line_of_room on bill_line (room_id) where room_id is not null;
