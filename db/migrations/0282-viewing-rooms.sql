-- What was thought of each room is found from the room, too.
create index viewing_rooms on viewing using gin (room_ids);
