-- A trade number is one payment of an enterprise: what another enterprise on the same database wrote down, by mistake say, does not
-- stand in the way of the channel's own word.
alter table flow add column enterprise_id bigint references enterprise;
alter table flow disable trigger user;
update flow f set enterprise_id = v.enterprise_id from village v where v.id = f.village_id;
alter table flow enable trigger user;
drop index if exists flow_channel_trade;
create unique index flow_channel_trade on flow (enterprise_id, channel, channel_trade_no)
  where channel_trade_no is not null and state not in ('reversed', 'rejected');
