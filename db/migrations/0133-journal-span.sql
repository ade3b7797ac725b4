-- The folded days of `journal_day` once more, by whole month, quarter and year, and all of them together: what stood before a period, and what moved in a
-- long one, is read from some rows a store instead of from every day there ever was.
create table journal_span (
  village_id bigint not null,
  unit text not null check (unit in ('month', 'quarter', 'year', 'all')),
  day date not null,
  account char(4) not null references account,
  event text not null,
  fee_subject_id bigint,
  merchant_account_id bigint,
  debit bigint not null,
  credit bigint not null
);
create unique index journal_span_at on journal_span (village_id, unit, day, account, event, fee_subject_id, merchant_account_id)
  include (debit, credit) nulls not distinct;
create index journal_span_merchant on journal_span (merchant_account_id, account) include (debit, credit)
  where unit = 'all' and merchant_account_id is not null;
