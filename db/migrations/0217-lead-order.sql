-- The first page of leads is found in its order, however many there are.
create index lead_next_follow on lead (next_follow_day, id desc);
create index lead_newest on lead (created_at desc nulls last, id desc);
