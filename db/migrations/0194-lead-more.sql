-- Words that people give a lead, and which channel it came by.
alter table lead add column tags text[] not null default '{}' check (cardinality(tags) <= 10);
alter table lead add column channel_name text not null default '' check (char_length(channel_name) <= 30);
create index lead_channel on lead (enterprise_id, channel_name) where channel_name <> '';
