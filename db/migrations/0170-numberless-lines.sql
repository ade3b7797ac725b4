-- Where a bank has no number it may write noughts alone; lines that differ in day or balance were one movement by such a number.
-- They are told apart as those without a number are, so that a file that tells them again finds them.
update statement_line l set channel_trade_no = null, row_key = concat_ws(':', 'N',
    to_char(occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'), direction, amount,
    coalesce(nullif(counter_account, ''), counter_name), coalesce(balance::text, '')) || x.ordinal
  from (
    select id, case n when 1 then '' else '#' || n - 1 end ordinal
    from (
      select id, row_number() over (partition by merchant_account_id, occurred_at, direction, amount,
        coalesce(nullif(counter_account, ''), counter_name), balance order by statement_id, line_no) n
      from statement_line where row_key ~ '^S:0+:') y) x
  where x.id = l.id;
