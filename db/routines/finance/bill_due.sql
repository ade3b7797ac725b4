-- A ledger sum of the bills themselves: what comes and what changes adds rows at once, the fold brings them into one a key. Bills
-- are voided, never deleted.
create or replace function bill_due_added() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into bill_due (village_id, due_date, direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced)
    select village_id, due_date, direction, status, issued_at is not null, sum(n), sum(n * amount), sum(n * adjusted), sum(n * settled), sum(n * written_off),
      sum(n * outstanding), sum(n * greatest(amount + adjusted - invoiced, 0))
    from (select 1 n, a.* from after a union all select -1, b.* from before b) b group by 1, 2, 3, 4, 5
    having sum(n) <> 0 or sum(n * amount) <> 0 or sum(n * adjusted) <> 0 or sum(n * settled) <> 0 or sum(n * written_off) <> 0
      or sum(n * outstanding) <> 0 or sum(n * greatest(amount + adjusted - invoiced, 0)) <> 0;
  else
    insert into bill_due (village_id, due_date, direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced)
    select village_id, due_date, direction, status, issued_at is not null, count(*), sum(amount), sum(adjusted), sum(settled), sum(written_off),
      sum(outstanding), sum(greatest(amount + adjusted - invoiced, 0)) from after group by 1, 2, 3, 4, 5;
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
      sum(outstanding), sum(uninvoiced), true
    from gone group by 1, 2, 3, 4, 5 having sum(bills) <> 0)
  select count(*) from loose
$$;

create or replace function bill_due_renew() returns void language sql as $$
  delete from bill_due;
  insert into bill_due
  select village_id, due_date, direction, status, issued_at is not null, count(*), sum(amount), sum(adjusted), sum(settled), sum(written_off),
    sum(outstanding), sum(greatest(amount + adjusted - invoiced, 0)), true
  from bill group by 1, 2, 3, 4, 5
$$;
