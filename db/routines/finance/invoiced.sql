-- What of a line and its corrections is earned by the end of a day, as accrued income counts it (income.sql): up to a day a
-- slice has earned its amount × days ÷ all its days, rounded half up; what is charged once counts on its issue day.
create or replace function lines_earned(lines bigint[], on_day date) returns table (id bigint, fen bigint)
language sql stable parallel safe as $$
with charged as (
  select x.of, b.issue_date, l.amount, l.slices,
    coalesce(l.once, s.recognise = 'onIssue') or jsonb_array_length(l.slices) = 0 at_once
  from (select id, id of from bill_line where id = any (lines)
      union all select id, adjusts_line_id from bill_line where adjusts_line_id = any (lines)) x
    join bill_line l on l.id = x.id join bill b on b.id = l.bill_id join fee_subject s on s.id = l.fee_subject_id
  where b.issued_at is not null and b.voided_at is null
)
select of, sum(fen)::bigint from (
  select of, amount fen from charged where at_once and issue_date <= on_day
  union all
  select c.of, sign(e.amount)::bigint * ((2 * abs(e.amount) * e.upto + e.days) / (2 * e.days))
  from charged c, lateral (
    select (j ->> 'amount')::bigint amount, (j ->> 'to')::date - (j ->> 'from')::date + 1 days,
      greatest(0, least((j ->> 'to')::date, on_day) - (j ->> 'from')::date + 1) upto
    from jsonb_array_elements(c.slices) j) e
  where not c.at_once) x
group by of
$$;

create or replace function line_earned(line bigint, on_day date) returns bigint language sql stable parallel safe as $$
  select coalesce(sum(fen), 0)::bigint from lines_earned(array[line], on_day)
$$;

-- A line bears no more invoices than it comes to, and a void one bears none: what is issued and what is held for applications together. Where a line
-- falls below that later it stands as it is, to be taken back by red letters.
create or replace function bill_line_invoice_guard() returns trigger language plpgsql as $$
begin
  if new.invoiced + new.invoicing > old.invoiced + old.invoicing
    and (new.voided or new.invoiced + new.invoicing > new.amount + new.adjusted) then
    raise exception '可开票金额已变化' using errcode = 'check_violation', constraint = 'bill_line_invoice';
  end if;
  return new;
end $$;

create or replace trigger bill_line_invoice_guard before update of invoiced, invoicing on bill_line for each row
  when (new.invoiced <> old.invoiced or new.invoicing <> old.invoicing)
  execute function bill_line_invoice_guard();

-- What an application holds keeps its bill from being voided.
create or replace function bill_invoice_guard() returns trigger language plpgsql as $$
begin
  raise exception '账单已开票或正在开票，不能作废' using errcode = 'check_violation', constraint = 'bill_void_invoiced';
end $$;

create or replace trigger bill_invoice_guard before update of voided_at on bill for each row
  when (old.voided_at is null and new.voided_at is not null and new.invoiced + new.invoicing > 0)
  execute function bill_invoice_guard();

-- An issued invoice says for ever what it said; only what red letters take from it, its files and its delivery change.
create or replace function invoice_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.amount, new.tax, new.kind, new.title, new.tax_no, new.invoice_no, new.issued_on, new.serial_no,
    new.village_id, new.direction) is distinct from (old.amount, old.tax, old.kind, old.title, old.tax_no, old.invoice_no,
    old.issued_on, old.serial_no, old.village_id, old.direction) or new.state not in ('issued', 'partRed', 'red') then
    raise exception '已开具的发票不能修改' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace trigger invoice_stays before update or delete on invoice for each row
  when (old.state in ('issued', 'partRed', 'red')) execute function invoice_stays();

-- The tax of what was refused is worked out anew as it is tried again; nothing else of a line ever changes.
create or replace function invoice_line_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.amount, new.bill_line_id, new.invoice_id, new.item_code) is distinct from
    (old.amount, old.bill_line_id, old.invoice_id, old.item_code)
    or new.tax <> old.tax and not exists (select from invoice where id = new.invoice_id and state = 'failed') then
    raise exception '发票明细不能修改' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace trigger invoice_line_stays before update or delete on invoice_line for each row
  execute function invoice_line_stays();
