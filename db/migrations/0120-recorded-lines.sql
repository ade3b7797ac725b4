-- Money that only a statement knew, and that somebody records here: once it is confirmed its flow is that line's.
alter table flow add column told_line_id bigint references statement_line on delete set null;
create unique index flow_told on flow (told_line_id)
  where told_line_id is not null and state not in ('reversed', 'rejected');
-- A file that is taken back asks for each of its lines what names it.
create index flow_told_line on flow (told_line_id) where told_line_id is not null;
create index refund_attempt_told_line on refund_attempt (told_line_id) where told_line_id is not null;
