-- The status of some rooms, for a page of a list: the text of room_status_at, where the rooms are always given, with one
-- plan for all pages. Planning it anew costs four times what twenty rooms cost; and in one text for both, no plan is good
-- for whole stores and for twenty rooms alike. A migration that changes room_status_at makes this one anew.
create function make_room_status_of() returns void language plpgsql as $$
begin
  execute regexp_replace(
    replace(pg_get_functiondef('room_status_at(date, date, bigint[], bigint[], int)'::regprocedure),
      'room_status_at', 'room_status_of'),
    '\(rooms is null or (\w+\.\w+) = any ?\(rooms\)\)', '\1 = any (rooms)', 'gi');
  alter function room_status_of set plan_cache_mode = force_generic_plan;
end $$;
select make_room_status_of();

-- Pages of lists in the order they are read: not sorted out of everything first.
create index party_of_kind on party (kind, created_at desc nulls last, id desc);
create index reservation_until on reservation (hold_until, id desc);
create index viewing_at on viewing (at desc, id desc);
create index room_in_stock on room (village_id) where is_leaf and retired_day is null;
create index party_changed on party (updated_at);
create index room_retiring on room (village_id, retired_day) where is_leaf and retired_day is not null;
