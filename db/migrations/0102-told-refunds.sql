-- Money that a channel says it has given back, and of which nobody had applied for a refund: the refund that says whose it
-- was is paid by that line.
alter table refund_attempt add column told_line_id bigint references statement_line;
create unique index refund_attempt_told on refund_attempt (told_line_id)
  where told_line_id is not null and state <> 'replaced';
