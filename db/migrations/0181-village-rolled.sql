-- How often days of a store were rolled up: what is worked out of them stands until it changes.
create table village_rolled (
  village_id bigint primary key references village,
  times bigint not null default 1
);
