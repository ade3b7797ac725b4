-- What was booked, by day, store, account of the books, receiving account and event: figures over many days and accounts are
-- read from here. Store 0 is head office, receiving account 0 is none.
create table journal_day (
  village_id bigint not null,
  day date not null,
  account char(4) not null references account,
  merchant_account_id bigint not null,
  event text not null,
  debit bigint not null,
  credit bigint not null,
  folded boolean not null default false
);
create index journal_day_at on journal_day (village_id, account, day) include (event, debit, credit);
create index journal_day_account on journal_day (merchant_account_id, account, day) include (event, debit, credit)
  where merchant_account_id > 0;
create index journal_day_loose on journal_day (village_id, day) where not folded;

insert into journal_day (village_id, day, account, merchant_account_id, event, debit, credit, folded)
select coalesce(l.village_id, 0), l.date, l.account, coalesce(l.merchant_account_id, 0), e.event, sum(l.debit), sum(l.credit), true
from journal_line l join journal_entry e on e.id = l.entry_id group by 1, 2, 3, 4, 5;
