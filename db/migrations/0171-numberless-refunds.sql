-- Refunds of one payment that have no number of their own were one line; they are told apart by their time and amount.
update statement_line set row_key = row_key || to_char(occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') || ':' || amount
  where row_key like 'R:%:' and channel_refund_no is null and direction = 'out';
