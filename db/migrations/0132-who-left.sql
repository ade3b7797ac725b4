-- Who left in some days: contracts and single rooms of them by the day.
create index contract_left on contract (village_id, leave_date) where leave_date is not null;
create index contract_room_left on contract_room (leave_date) include (contract_id, room_id) where leave_date is not null;
