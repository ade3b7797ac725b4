-- One record for every change of prices: of many rooms, of one room, of a room that takes its product's price again,
-- and of a product with the rooms that follow it.
alter table price_change
  add kind text not null default 'batch' check (kind in ('batch', 'room', 'follow', 'product')),
  add room_id bigint references room,
  add product_id bigint references product,
  -- the prices that were asked for: { listPrice, lowestPrice, unit }, of a product also { villages }
  add given jsonb,
  -- how people read it, where it is not a rule for many rooms
  add rule_text text,
  -- carried out by a job: since when, how far it is, and why the last run came to nothing
  add queued_at timestamptz,
  add progress int not null default 0 check (progress between 0 and 100),
  add failed text not null default '',
  drop constraint price_change_rooms_check,
  add check (rooms > 0 or (kind = 'product' and rooms = 0)),
  add check ((kind in ('room', 'follow')) = (room_id is not null)),
  add check ((kind = 'product') = (product_id is not null)),
  add check ((kind = 'batch') = (given is null) and (kind = 'batch') = (rule_text is null)),
  add check (queued_at is null or state = 'submitted');
create index price_change_product on price_change (product_id) where product_id is not null;
create index price_change_room on price_change (room_id) where room_id is not null;
