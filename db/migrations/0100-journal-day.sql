-- The journal by day, which balances and movements over many stores and years are read from. What belongs to head office
-- (公司本部) stands under the enterprise's number below nothing.
create table journal_day (
  village_id bigint not null,
  day date not null,
  account char(4) not null references account,
  event text not null,
  fee_subject_id bigint,
  merchant_account_id bigint,
  debit bigint not null,
  credit bigint not null,
  folded boolean not null default false
);
create index journal_day_at on journal_day (village_id, account, day)
  include (event, fee_subject_id, merchant_account_id, debit, credit);
create index journal_day_fold on journal_day (village_id, day);
create index journal_day_loose on journal_day (village_id, day) where not folded;
create index journal_day_merchant on journal_day (merchant_account_id, day) include (account, event, debit, credit)
  where merchant_account_id is not null;
