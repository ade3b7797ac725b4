-- The approval that let an act happen, on each line that the act wrote.
alter table business_log add column examine_id bigint references examine;
