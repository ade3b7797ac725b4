-- 未开票: what is still to be invoiced of a bill. Nothing of one that is void, of an opening one, of one that is paid out, nor of
-- deposits or what is collected for others alone. `invoiceable`: the charges that invoices are made for.
create or replace function bill_uninvoiced(direction text, voided_at timestamptz, source text, subject_ids bigint[], invoiceable bigint[], left_over bigint)
returns bigint language sql immutable parallel safe as $$
  select case when direction = 'receivable' and voided_at is null and source <> 'opening' and subject_ids && invoiceable
    then greatest(left_over, 0) else 0 end
$$;
create or replace function invoiceable_subjects() returns bigint[] language sql stable parallel safe as $$
  select coalesce(array_agg(id), '{}') from fee_subject where kind in ('income', 'lateFee')
$$;

-- A ledger sum of the bills themselves: what comes and what changes adds rows at once, the fold brings them into one a key. Bills
-- are voided, never deleted.
create or replace function bill_due_added() returns trigger language plpgsql as $$
declare
  invoiceable bigint[] := invoiceable_subjects();
begin
  if tg_op = 'UPDATE' then
    insert into bill_due (village_id, due_date, direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced)
    select village_id, due_date, direction, status, issued_at is not null, sum(n), sum(n * amount), sum(n * adjusted), sum(n * settled), sum(n * written_off),
      sum(n * outstanding), sum(n * uninvoiced), sum(n * invoiced)
    from (select x.*, bill_uninvoiced(direction, voided_at, source, subject_ids, invoiceable, amount + adjusted - invoiced) uninvoiced
      from (select 1 n, a.* from after a union all select -1, b.* from before b) x) b group by 1, 2, 3, 4, 5
    having sum(n) <> 0 or sum(n * amount) <> 0 or sum(n * adjusted) <> 0 or sum(n * settled) <> 0 or sum(n * written_off) <> 0
      or sum(n * outstanding) <> 0 or sum(n * uninvoiced) <> 0 or sum(n * invoiced) <> 0;
  else
    insert into bill_due (village_id, due_date, direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced)
    select village_id, due_date, direction, status, issued_at is not null, count(*), sum(amount), sum(adjusted), sum(settled), sum(written_off),
      sum(outstanding), sum(bill_uninvoiced(direction, voided_at, source, subject_ids, invoiceable, amount + adjusted - invoiced)), sum(invoiced) from after group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;

create or replace trigger bill_due_came after insert on bill
  referencing new table as after for each statement execute function bill_due_added();
create or replace trigger bill_due_changed after update on bill
  referencing old table as before new table as after for each statement execute function bill_due_added();

create or replace function bill_due_fold(most int) returns bigint language sql as $$
  with loose as (select distinct village_id, due_date from bill_due where not folded limit most),
  gone as (delete from bill_due t using loose k where t.village_id = k.village_id and t.due_date = k.due_date returning t.*),
  kept as (
    insert into bill_due
    select village_id, due_date, direction, status, issued, sum(bills), sum(amount), sum(adjusted), sum(settled), sum(written_off),
      sum(outstanding), sum(uninvoiced), true, sum(invoiced)
    from gone group by 1, 2, 3, 4, 5 having sum(bills) <> 0)
  select count(*) from loose
$$;

create or replace function bill_due_renew() returns void language sql as $$
  delete from bill_due;
  insert into bill_due
  select village_id, due_date, direction, status, issued_at is not null, count(*), sum(amount), sum(adjusted), sum(settled), sum(written_off),
    sum(outstanding), sum(bill_uninvoiced(direction, voided_at, source, subject_ids, (select invoiceable_subjects()), amount + adjusted - invoiced)), true, sum(invoiced)
  from bill group by 1, 2, 3, 4, 5
$$;

-- The bills that are due in a period, by its pieces (`pieces_of`), and what is not folded yet. The same sums as the days alone; a
-- piece stands under its first day, and none lies across a cut: with one at today, what is due before it is told apart. That no
-- piece is beyond the period is said once more, since a plan does not know it of them; found while the statement runs, so that its plan is
-- one for all periods.
create or replace function bills_due(first date, last date, cuts date[] default '{}')
returns table (
  village_id bigint, due_date date, direction text, status text, issued boolean, bills bigint, amount bigint, adjusted bigint,
  settled bigint, written_off bigint, outstanding bigint, uninvoiced bigint, invoiced bigint)
language sql stable parallel safe as $$
  select s.village_id, s.due_date, s.direction, s.status, s.issued, s.bills, s.amount, s.adjusted, s.settled,
    s.written_off, s.outstanding, s.uninvoiced, s.invoiced
  from pieces_of(first, last, cuts) p join bill_due_span s on s.unit = p.unit and s.due_date >= p.since and s.due_date < p.until
  where s.due_date between (select first) and (select last)
  union all
  select d.village_id, d.due_date, d.direction, d.status, d.issued, d.bills, d.amount, d.adjusted, d.settled,
    d.written_off, d.outstanding, d.uninvoiced, d.invoiced
  from pieces_of(first, last, cuts) p join bill_due d on d.due_date >= p.since and d.due_date < p.until
  where p.unit = 'day' and d.due_date between (select first) and (select last)
  union all
  select d.village_id, d.due_date, d.direction, d.status, d.issued, d.bills, d.amount, d.adjusted, d.settled,
    d.written_off, d.outstanding, d.uninvoiced, d.invoiced
  from pieces_of(first, last, cuts) p join bill_due d on d.due_date >= p.since and d.due_date < p.until and not d.folded
  where p.unit <> 'day' and d.due_date between (select first) and (select last)
$$;

-- Days go where they are folded, or made anew: what was loose of them is in the spans from then on.
create or replace function bill_due_span_takes() returns trigger language plpgsql as $$
begin
  insert into bill_due_span as s
  select d.village_id, u.unit, span_day(u.unit, d.due_date), d.direction, d.status, d.issued, sum(d.bills), sum(d.amount), sum(d.adjusted),
    sum(d.settled), sum(d.written_off), sum(d.outstanding), sum(d.uninvoiced), sum(d.invoiced)
  from gone d, (values ('month'), ('quarter'), ('year')) u (unit) where not d.folded group by 1, 2, 3, 4, 5, 6
  on conflict (village_id, unit, due_date, direction, status, issued) do update set
    bills = s.bills + excluded.bills, amount = s.amount + excluded.amount, adjusted = s.adjusted + excluded.adjusted,
    settled = s.settled + excluded.settled, written_off = s.written_off + excluded.written_off,
    outstanding = s.outstanding + excluded.outstanding, uninvoiced = s.uninvoiced + excluded.uninvoiced,
    invoiced = s.invoiced + excluded.invoiced;
  return null;
end $$;

create or replace trigger bill_due_span_takes after delete on bill_due
  referencing old table as gone for each statement execute function bill_due_span_takes();

create or replace function bill_due_span_fold(most int) returns bigint language sql as 'select 0::bigint';

create or replace function bill_due_span_renew() returns void language sql as $$
  delete from bill_due_span;
  insert into bill_due_span
  select d.village_id, u.unit, span_day(u.unit, d.due_date), d.direction, d.status, d.issued, sum(d.bills), sum(d.amount), sum(d.adjusted),
    sum(d.settled), sum(d.written_off), sum(d.outstanding), sum(d.uninvoiced), sum(d.invoiced)
  from bill_due d, (values ('month'), ('quarter'), ('year')) u (unit) where d.folded group by 1, 2, 3, 4, 5, 6
$$;
