create or replace function bill_line_once() returns trigger language plpgsql as $$
begin
  new.once := (select recognise = 'onIssue' from fee_subject where id = new.fee_subject_id);
  return new;
end $$;

-- The first day on which what comes to a store just now may be earned; nothing where no month was ever locked. Until the
-- transaction ends no month of the store is locked beside it (`holdBooks`).
create or replace function income_held(village bigint) returns date language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('books ' || village, 0));
  return income_opens(village);
end $$;

-- A line that joins a bill which is issued already keeps a day of its own, where that is another than its bill's.
create or replace function bill_line_income_from() returns trigger language plpgsql as $$
declare
  joined record;
  opens date;
begin
  select village_id, income_from into joined from bill
    where id = new.bill_id and issued_at is not null and direction = 'receivable';
  if found then
    opens := income_held(joined.village_id);
    if opens is distinct from joined.income_from then
      new.income_from := coalesce(opens, '-infinity');
    end if;
  end if;
  return new;
end $$;

-- A month that is locked when a bill is issued or void stays as it was.
create or replace function bill_income_from() returns trigger language plpgsql as $$
begin
  if new.issued_at is not null and (tg_op = 'INSERT' or old.issued_at is null) then
    new.income_from := income_held(new.village_id);
  end if;
  if new.voided_at is not null and (tg_op = 'INSERT' or old.voided_at is null) then
    new.gone_from := income_held(new.village_id);
  end if;
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

-- What an amount spread over some days has earned after the first of them: amount × days ÷ all its days, rounded half up. A
-- piece is the difference to what was earned before, so the pieces add up to the amount.
create or replace function earned(fen bigint, upto int, days int) returns bigint language sql immutable parallel safe as $$
  select case when fen < 0 then -((2 * -fen * upto + days) / (2 * days)) else (2 * fen * upto + days) / (2 * days) end
$$;

-- The days over which issued lines of income subjects are earned: those of their slices, or the issue day. `before`: what the
-- earlier slices of the line come to.
create or replace function income_spans(lines bigint[])
returns table (line_id bigint, village_id bigint, fee_subject_id bigint, first date, days int, fen bigint, before bigint, amount bigint, tax bigint)
language sql stable as $$
with charged as materialized (
  select l.id, b.village_id, l.fee_subject_id, b.issue_date, l.amount, l.tax, l.slices,
    coalesce(l.once, s.recognise = 'onIssue') or jsonb_array_length(l.slices) = 0 at_once
  from unnest(lines) x (id) join bill_line l on l.id = x.id join bill b on b.id = l.bill_id
    join fee_subject s on s.id = l.fee_subject_id
  where b.direction = 'receivable' and b.source <> 'opening' and b.issued_at is not null and s.kind = 'income'
)
select id, village_id, fee_subject_id, issue_date, 1, amount, 0::bigint, amount, tax from charged where at_once
union all
select c.id, c.village_id, c.fee_subject_id, e.first, e.last - e.first + 1, e.amount, e.before, c.amount, c.tax
from charged c, lateral (
  select j.first, j.last, j.amount, (sum(j.amount) over (order by j.first, j.nth) - j.amount)::bigint before
  from (select (j ->> 'from')::date first, (j ->> 'to')::date last, (j ->> 'amount')::bigint amount, nth
    from jsonb_array_elements(c.slices) with ordinality e (j, nth)) j) e
where not c.at_once
$$;

-- The tax in what a line has earned after the first days of a slice, as the accrual works it out: by the exact share, rounded to
-- eight places and then once. Whole numbers come to the same where eight places cannot make a half of what is none.
create or replace function earned_tax(tax bigint, amount bigint, before bigint, fen bigint, upto int, days int)
returns bigint language sql immutable parallel safe as $$
  select case when tax = 0 or amount = 0 then 0
    when amount between 1 and 100000000 / days and tax between 0 and amount and before >= 0 and fen between 0 and amount - before
      then (2 * tax * (before * days + fen * upto) + amount * days) / (2 * amount * days)
    else round(round(tax * (before + fen::numeric * upto / days) / amount, 8))::bigint end
$$;

-- What lines bring to each day, or take back when they are gone, and the tax in it; with `by_month` to months, by their first day.
create or replace function income_days(lines bigint[], gone boolean, by_month boolean)
returns table (line_id bigint, village_id bigint, day date, fee_subject_id bigint, fen bigint, tax bigint)
language sql stable as $$
with opened as materialized (
  select l.id, case when gone then b.gone_from else coalesce(l.income_from, b.income_from) end open_from
  from unnest(lines) x (id) join bill_line l on l.id = x.id join bill b on b.id = l.bill_id
  where b.issued_at is not null and (not gone or b.voided_at is not null)
)
select s.line_id, s.village_id, greatest(p.day, o.open_from), s.fee_subject_id,
  (earned(s.fen, p.upto, s.days) - earned(s.fen, p.before, s.days)) * w.sign,
  (earned_tax(s.tax, s.amount, s.before, s.fen, p.upto, s.days) - earned_tax(s.tax, s.amount, s.before, s.fen, p.before, s.days)) * w.sign
from income_spans(lines) s join opened o on o.id = s.line_id cross join (select case when gone then -1 else 1 end sign) w, lateral (
  select s.first + k - 1 "day", k - 1 before, k upto from generate_series(1, s.days) k where not by_month
  union all
  select m::date, greatest(m::date - s.first, 0), least((m + interval '1 month')::date - s.first, s.days)
  from generate_series(month_of(s.first), s.first + s.days - 1, interval '1 month') m where by_month) p
$$;

-- What lines have earned by month, up to the one that ends on a day, with the tax in it: the month it belongs to (`of_month`)
-- and the one it counts in (`month`), which is another where that was locked by then.
create or replace function income_months(lines bigint[], until date)
returns table (line_id bigint, of_month date, month date, gross bigint, tax bigint)
language sql stable as $$
with pieces as (
  select s.line_id, m::date of_month, sum(earned(s.fen, p.upto, s.days) - earned(s.fen, p.before, s.days))::bigint gross,
    sum(s.fen::numeric * (p.upto - p.before) / s.days) exact
  from income_spans(lines) s, generate_series(month_of(s.first), least(s.first + s.days - 1, until), interval '1 month') m,
    lateral (select greatest(m::date - s.first, 0) before, least((m + interval '1 month')::date - s.first, s.days) upto) p
  group by 1, 2
), taxed as (
  select p.line_id, p.of_month, p.gross,
    round(round(l.tax * sum(p.exact) over upto / nullif(l.amount, 0), 8))::bigint tax_upto
  from pieces p join bill_line l on l.id = p.line_id
  window upto as (partition by p.line_id order by p.of_month)
), net as (
  select line_id, of_month, gross,
    coalesce(tax_upto - coalesce(lag(tax_upto) over (partition by line_id order by of_month), 0), 0) tax
  from taxed
)
select n.line_id, n.of_month, greatest(n.of_month, k.open_from), k.sign * n.gross, k.sign * n.tax
from net n join bill_line l on l.id = n.line_id join bill b on b.id = l.bill_id, lateral (
  select 1 sign, coalesce(l.income_from, b.income_from) open_from
  union all
  select -1, b.gone_from where b.voided_at is not null) k
where greatest(n.of_month, k.open_from) <= until
$$;

create or replace trigger bill_line_once before insert on bill_line for each row execute function bill_line_once();

create or replace trigger bill_line_income_from before insert on bill_line for each row execute function bill_line_income_from();

create or replace trigger bill_income_from before insert or update of issued_at, voided_at on bill for each row
  when (new.direction = 'receivable') execute function bill_income_from();

create or replace trigger bill_line_income after insert on bill_line
  referencing new table as added for each statement execute function bill_line_income();

create or replace trigger bill_income after update of issued_at, voided_at on bill for each row
  when (new.direction = 'receivable'
    and ((old.issued_at is null) <> (new.issued_at is null) or (old.voided_at is null) <> (new.voided_at is null)))
  execute function bill_income();
