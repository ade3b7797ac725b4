-- What a channel keeps of a room goes when the room goes: a room that came in by mistake was looked at by every channel
-- within a minute, and could never be taken away again.
alter table listing drop constraint listing_room_id_fkey,
  add constraint listing_room_id_fkey foreign key (room_id) references room on delete cascade;
alter table listing_event drop constraint listing_event_room_id_fkey,
  add constraint listing_event_room_id_fkey foreign key (room_id) references room on delete set null;
