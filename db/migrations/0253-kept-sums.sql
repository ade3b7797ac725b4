-- Sums of the journal that figures over many stores are read from, so that they cost the same after ten years as after
-- one. The journal only grows: what is added to it adds its rows here in the same transaction, and the rows of a key are
-- what adds up. Nobody waits for another's row, and a reader is never behind. A job folds the rows of a key into one;
-- whoever sums sees no difference.

-- What was taken, by day, channel, account and who booked it.
create table taking_day (
  village_id bigint not null references village,
  day date not null,
  channel text not null,
  merchant_account_id bigint,
  operator_id bigint,
  amount bigint not null,
  reversed bigint not null,
  fee bigint not null,
  flows bigint not null,
  folded boolean not null default false
);
create index taking_day_at on taking_day (village_id, day)
  include (channel, merchant_account_id, operator_id, amount, reversed, fee, flows);
create index taking_day_loose on taking_day (village_id, day) where not folded;

-- What was billed and what was settled on a day, by the day the bills fall due.
create table receivable_day (
  village_id bigint not null references village,
  due_date date not null,
  day date not null,
  billed bigint not null,
  settled bigint not null,
  folded boolean not null default false
);
create index receivable_day_at on receivable_day (village_id, due_date) include (day, billed, settled);
create index receivable_day_loose on receivable_day (village_id, due_date) where not folded;

-- What arrears grew or fell by: anything booked on a receivable counts from the day it is booked and its bill is late.
-- Arrears at the end of a day are the sum up to it.
create table arrears_day (
  village_id bigint not null references village,
  day date not null,
  fen bigint not null,
  folded boolean not null default false
);
create index arrears_day_at on arrears_day (village_id, day) include (fen);
create index arrears_day_loose on arrears_day (village_id, day) where not folded;

create function month_of(d date) returns date language sql immutable parallel safe
return date_trunc('month', d::timestamp)::date;

create function journal_line_sums() returns trigger language plpgsql as $$
begin
  insert into taking_day (village_id, day, channel, merchant_account_id, operator_id, amount, reversed, fee, flows)
  select t.village_id, t.date, f.channel, f.merchant_account_id, f.created_by,
    sum(t.amount), sum(t.reversed), sum(t.fee), sum(t.flows)
  from (
    select l.date, l.village_id, l.flow_id, l.credit - l.debit amount, l.debit reversed, 0::bigint fee,
      case when l.credit > 0 then 1 else 0 end flows
    from added l join journal_entry e on e.id = l.entry_id
    where l.account = '2203' and e.event in ('E06', 'E17', 'E10')
    union all
    select l.date, l.village_id, l.flow_id, 0, 0, l.debit - l.credit, 0 from added l where l.account = '6602'
  ) t join flow f on f.id = t.flow_id and f.kind = 'receipt'
  group by 1, 2, 3, 4, 5;

  with booked as (
    select l.village_id, b.due_date, l.date, e.event, sum(l.debit - l.credit) fen
    from added l join journal_entry e on e.id = l.entry_id join bill b on b.id = l.bill_id
    where l.account = '1122' group by 1, 2, 3, 4
  ), late as (
    insert into arrears_day (village_id, day, fen)
    select village_id, greatest(date, due_date + 1), sum(fen) from booked group by 1, 2 having sum(fen) <> 0)
  insert into receivable_day (village_id, due_date, day, billed, settled)
  select village_id, due_date, date, coalesce(sum(fen) filter (where event not in ('E08', 'E09')), 0),
    coalesce(-sum(fen) filter (where event in ('E08', 'E09')), 0)
  from booked where event <> 'E11' group by 1, 2, 3;
  return null;
end $$;
create trigger journal_line_sums after insert on journal_line
  referencing new table as added for each statement execute function journal_line_sums();

-- What is booked on a bill moves along when it falls due on another day.
create function bill_due_moved() returns trigger language plpgsql as $$
begin
  insert into arrears_day (village_id, day, fen)
  select l.village_id, greatest(l.date, m.due + 1), sum(m.sign * (l.debit - l.credit))
  from journal_line l, (values (old.due_date, -1), (new.due_date, 1)) m (due, sign)
  where l.bill_id = new.id and l.account = '1122' group by 1, 2;
  insert into receivable_day (village_id, due_date, day, billed, settled)
  select l.village_id, m.due, l.date,
    coalesce(sum(m.sign * (l.debit - l.credit)) filter (where e.event not in ('E08', 'E09')), 0),
    coalesce(-sum(m.sign * (l.debit - l.credit)) filter (where e.event in ('E08', 'E09')), 0)
  from journal_line l join journal_entry e on e.id = l.entry_id,
    (values (old.due_date, -1), (new.due_date, 1)) m (due, sign)
  where l.bill_id = new.id and l.account = '1122' and e.event <> 'E11' group by 1, 2, 3;
  return null;
end $$;
create trigger bill_due_moved after update of due_date on bill for each row
  when (old.due_date <> new.due_date and old.issued_at is not null) execute function bill_due_moved();

-- Folds the rows of some keys into one each. One at a time; answers how many keys.
create function fold_sums(most int) returns int language plpgsql as $$
declare
  takings int; dues int; late int;
begin
  perform pg_advisory_xact_lock(hashtextextended('foldSums', 0));
  with loose as (select distinct village_id, day from taking_day where not folded limit most),
  gone as (delete from taking_day t using loose k where t.village_id = k.village_id and t.day = k.day returning t.*),
  kept as (insert into taking_day
    select village_id, day, channel, merchant_account_id, operator_id, sum(amount), sum(reversed), sum(fee), sum(flows), true
    from gone group by 1, 2, 3, 4, 5)
  select count(*) into takings from loose;
  with loose as (select distinct village_id, due_date from receivable_day where not folded limit most),
  gone as (delete from receivable_day t using loose k
    where t.village_id = k.village_id and t.due_date = k.due_date returning t.*),
  kept as (insert into receivable_day
    select village_id, due_date, day, sum(billed), sum(settled), true
    from gone group by 1, 2, 3 having sum(billed) <> 0 or sum(settled) <> 0)
  select count(*) into dues from loose;
  with loose as (select distinct village_id, day from arrears_day where not folded limit most),
  gone as (delete from arrears_day t using loose k where t.village_id = k.village_id and t.day = k.day returning t.*),
  kept as (insert into arrears_day select village_id, day, sum(fen), true from gone group by 1, 2 having sum(fen) <> 0)
  select count(*) into late from loose;
  return takings + dues + late;
end $$;

-- The same sums reckoned from the journal, to make them anew and to compare.
create view taking_day_anew as
select t.village_id, t.date "day", f.channel, f.merchant_account_id, f.created_by operator_id,
  sum(t.amount)::bigint amount, sum(t.reversed)::bigint reversed, sum(t.fee)::bigint fee, sum(t.flows)::bigint flows
from (
  select l.date, l.village_id, l.flow_id, l.credit - l.debit amount, l.debit reversed, 0::bigint fee,
    case when l.credit > 0 then 1 else 0 end flows
  from journal_line l join journal_entry e on e.id = l.entry_id
  where l.account = '2203' and e.event in ('E06', 'E17', 'E10')
  union all
  select l.date, l.village_id, l.flow_id, 0, 0, l.debit - l.credit, 0 from journal_line l where l.account = '6602'
) t join flow f on f.id = t.flow_id and f.kind = 'receipt'
group by 1, 2, 3, 4, 5;

create view receivable_day_anew as
select l.village_id, b.due_date, l.date "day",
  coalesce(sum(l.debit - l.credit) filter (where e.event not in ('E08', 'E09')), 0)::bigint billed,
  coalesce(-sum(l.debit - l.credit) filter (where e.event in ('E08', 'E09')), 0)::bigint settled
from journal_line l join journal_entry e on e.id = l.entry_id join bill b on b.id = l.bill_id
where l.account = '1122' and e.event <> 'E11' group by 1, 2, 3;

create view arrears_day_anew as
select l.village_id, greatest(l.date, b.due_date + 1) "day", sum(l.debit - l.credit)::bigint fen
from journal_line l join bill b on b.id = l.bill_id where l.account = '1122' group by 1, 2;

create function sum_anew() returns void language sql as $$
  delete from taking_day;
  insert into taking_day select *, true from taking_day_anew;
  delete from receivable_day;
  insert into receivable_day select *, true from receivable_day_anew where billed <> 0 or settled <> 0;
  delete from arrears_day;
  insert into arrears_day select *, true from arrears_day_anew where fen <> 0;
$$;
select sum_anew();

create or replace function collected(from_day date, to_day date, villages bigint[])
returns table (
  day date, village_id bigint, channel text, merchant_account_id bigint, operator_id bigint,
  amount bigint, reversed bigint, fee bigint, flows bigint)
language sql stable as $$
select t.day, t.village_id, t.channel, t.merchant_account_id, t.operator_id,
  sum(t.amount)::bigint, sum(t.reversed)::bigint, sum(t.fee)::bigint, sum(t.flows)::bigint
from taking_day t where t.village_id = any (villages) and t.day between from_day and to_day
group by 1, 2, 3, 4, 5
$$;

-- Contracts by the day they end, and what renewed one.
create index contract_ending on contract (village_id, end_date) include (id)
  where state not in ('draft', 'approving', 'signing', 'voided');
create index contract_renewing on contract (previous_id) where source = 'renewal';
