-- The list of flows walks one index for each village in the order it shows, and adds its sums up from the index alone.
drop index flow_village;
create index flow_village on flow (village_id, paid_at, id)
  include (direction, state, amount, fee, unallocated, channel, kind, merchant_account_id);
create index flow_amount on flow (village_id, amount, id);

-- What waits for somebody is little, however many flows there are.
drop index flow_pending;
create index flow_pending on flow (village_id, paid_at, id) where state = 'pending';
create index flow_with_rest on flow (village_id, paid_at, id)
  where unallocated > 0 and state = 'confirmed' and direction = 'in';
create index flow_taken_back on flow (village_id, paid_at, id) where state = 'reversed';

-- Ways a flow is looked up.
create index flow_room on flow (room_id, paid_at) where room_id is not null;
create index flow_trade on flow (channel_trade_no) where channel_trade_no is not null;
create index flow_remark on flow using gin (remark gin_trgm_ops) where remark <> '';
