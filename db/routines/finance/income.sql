create or replace function bill_line_once() returns trigger language plpgsql as $$
begin
  new.once := (select recognise = 'onIssue' from fee_subject where id = new.fee_subject_id);
  return new;
end $$;

-- A line of a bill that is issued already is due at once; those of a plan are when it is issued.
create or replace function bill_line_income() returns trigger language plpgsql as $$
begin
  insert into income_due (bill_line_id, gone)
  select l.id, false from added l join bill b on b.id = l.bill_id
  where b.issued_at is not null and b.direction = 'receivable';
  return null;
end $$;

create or replace function bill_income() returns trigger language plpgsql as $$
begin
  if old.issued_at is null and new.issued_at is not null then
    insert into income_due (bill_line_id, gone) select id, false from bill_line where bill_id = new.id;
  end if;
  if old.voided_at is null and new.voided_at is not null and new.issued_at is not null then
    insert into income_due (bill_line_id, gone) select id, true from bill_line where bill_id = new.id;
  end if;
  return null;
end $$;

-- What lines bring to each day, or take back when they are gone; with `by_month` to months, by their first day. Up to a day a
-- slice has earned its amount × days ÷ all its days, rounded half up; a piece is the difference to what was earned before, so
-- the pieces add up to the line. A month that was locked when the line came or went stays as it was: the amount goes to the
-- first day after the last locked month.
create or replace function income_days(lines bigint[], gone boolean, by_month boolean)
returns table (village_id bigint, day date, fen bigint)
language sql stable as $$
with charged as materialized (
  select b.village_id, b.issue_date, l.amount, l.slices,
    coalesce(l.once, s.recognise = 'onIssue') or jsonb_array_length(l.slices) = 0 at_once,
    (select (to_date(max(p.month), 'YYYY-MM') + interval '1 month')::date from period_lock p
      where p.village_id = b.village_id and p.side = 'income'
        and p.locked_at <= case when gone then b.voided_at else greatest(b.issued_at, l.created_at) end) open_from
  from unnest(lines) x (id) join bill_line l on l.id = x.id join bill b on b.id = l.bill_id
    join fee_subject s on s.id = l.fee_subject_id
  where b.direction = 'receivable' and b.source <> 'opening' and b.issued_at is not null
    and s.kind = 'income' and (not gone or b.voided_at is not null)
), spans as (
  select village_id, open_from, issue_date first, 1 days, abs(amount) amount, sign(amount)::int sign
  from charged where at_once
  union all
  select c.village_id, c.open_from, e.first, e.last - e.first + 1, abs(e.amount), sign(e.amount)::int
  from charged c, lateral (select (j ->> 'from')::date first, (j ->> 'to')::date last, (j ->> 'amount')::bigint amount
    from jsonb_array_elements(c.slices) j) e
  where not c.at_once
)
select s.village_id, greatest(p.day, s.open_from),
  (sum(s.sign * ((2 * s.amount * p.upto + s.days) / (2 * s.days) - (2 * s.amount * p.before + s.days) / (2 * s.days)))
    * case when gone then -1 else 1 end)::bigint
from spans s, lateral (
  select s.first + k - 1 "day", k - 1 before, k upto from generate_series(1, s.days) k where not by_month
  union all
  select m::date, greatest(m::date - s.first, 0), least((m + interval '1 month')::date - s.first, s.days)
  from generate_series(month_of(s.first), s.first + s.days - 1, interval '1 month') m where by_month) p
group by 1, 2
$$;

create or replace trigger bill_line_once before insert on bill_line for each row execute function bill_line_once();

create or replace trigger bill_line_income after insert on bill_line
  referencing new table as added for each statement execute function bill_line_income();

create or replace trigger bill_income after update of issued_at, voided_at on bill for each row
  when (new.direction = 'receivable'
    and ((old.issued_at is null) <> (new.issued_at is null) or (old.voided_at is null) <> (new.voided_at is null)))
  execute function bill_income();
