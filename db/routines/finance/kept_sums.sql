create or replace function journal_line_sums() returns trigger language plpgsql as $$
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

-- What is booked on a bill moves along when it falls due on another day.
create or replace function bill_due_moved() returns trigger language plpgsql as $$
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

-- Folds the rows of some keys into one each. One at a time; answers how many keys.
create or replace function fold_sums(most int) returns int language plpgsql as $$
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

create or replace function sum_anew() returns void language sql as $$
  delete from taking_day;
  insert into taking_day select *, true from taking_day_anew;
  delete from receivable_day;
  insert into receivable_day select *, true from receivable_day_anew where billed <> 0 or settled <> 0;
  delete from arrears_day;
  insert into arrears_day select *, true from arrears_day_anew where fen <> 0;
$$;

create or replace trigger journal_line_sums after insert on journal_line
  referencing new table as added for each statement execute function journal_line_sums();

create or replace trigger bill_due_moved after update of due_date on bill for each row
  when (old.due_date <> new.due_date and old.issued_at is not null) execute function bill_due_moved();
