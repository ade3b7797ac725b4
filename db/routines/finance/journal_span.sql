-- The fewest pieces of a period, none of which lies across one of the cuts: its whole years, the whole quarters and months beside them,
-- and the days at both ends; each from a first day up to one that is no longer in it. Not in SQL, so that a statement that reads
-- sums does not plan it along, arm by arm.
create or replace function pieces_of(first date, last date, cuts date[] default '{}') returns table (unit text, since date, until date)
language plpgsql immutable parallel safe rows 6 as $$
declare
  f date := first;
  l date;
  y0 date; y1 date; q0 date; q1 date; m0 date; m1 date;
begin
  foreach l in array array(select c from unnest(cuts) c where c > first and c <= last order by c) || (last + 1) loop
    y0 := date_trunc('year', f - 1) + interval '1 year';
    y1 := date_trunc('year', l);
    q0 := date_trunc('quarter', f - 1) + interval '3 months';
    q1 := date_trunc('quarter', l);
    m0 := date_trunc('month', f - 1) + interval '1 month';
    m1 := date_trunc('month', l);
    return query select * from (values
      ('year', y0, y1),
      ('quarter', q0, least(y0, q1)), ('quarter', greatest(y0, y1), q1),
      ('month', m0, least(q0, m1)), ('month', greatest(q0, q1), m1),
      ('day', f, least(m0, l)), ('day', greatest(m0, m1), l)) p (unit, since, until)
    where p.since < p.until;
    f := l;
  end loop;
end $$;

-- The first day of the span that a day is in; all days are one span.
create or replace function span_day(unit text, day date) returns date language sql immutable parallel safe as $$
  select case unit when 'all' then '-infinity' else date_trunc(unit, day)::date end
$$;

-- The journal of some stores over a period: its pieces, and what is not folded yet. The same sums as the days alone.
create or replace function journal_over(stores bigint[], first date, last date)
returns table (
  village_id bigint, account char(4), event text, fee_subject_id bigint, merchant_account_id bigint, debit bigint, credit bigint)
language sql stable parallel safe as $$
  select s.village_id, s.account, s.event, s.fee_subject_id, s.merchant_account_id, s.debit, s.credit
  from pieces_of(first, last) p join journal_span s on s.unit = p.unit and s.day >= p.since and s.day < p.until
  where s.village_id = any (stores)
  union all
  select d.village_id, d.account, d.event, d.fee_subject_id, d.merchant_account_id, d.debit, d.credit
  from pieces_of(first, last) p join journal_day d on d.day >= p.since and d.day < p.until
  where d.village_id = any (stores) and p.unit = 'day'
  union all
  select d.village_id, d.account, d.event, d.fee_subject_id, d.merchant_account_id, d.debit, d.credit
  from pieces_of(first, last) p join journal_day d on d.day >= p.since and d.day < p.until and not d.folded
  where d.village_id = any (stores) and p.unit <> 'day'
$$;

-- All up to a day: everything, less what came after it, which is the smaller part.
create or replace function journal_until(stores bigint[], last date)
returns table (
  village_id bigint, account char(4), event text, fee_subject_id bigint, merchant_account_id bigint, debit bigint, credit bigint)
language sql stable parallel safe as $$
  select s.village_id, s.account, s.event, s.fee_subject_id, s.merchant_account_id, s.debit, s.credit from journal_span s
  where s.village_id = any (stores) and s.unit = 'all'
  union all
  select d.village_id, d.account, d.event, d.fee_subject_id, d.merchant_account_id, d.debit, d.credit from journal_day d
  where d.village_id = any (stores) and not d.folded
  union all
  select o.village_id, o.account, o.event, o.fee_subject_id, o.merchant_account_id, -o.debit, -o.credit
  from journal_over(stores, last + 1, 'infinity') o
$$;

-- All up to a day of some receiving accounts, whoever's stores it was for.
create or replace function merchant_until(merchants bigint[], last date)
returns table (merchant_account_id bigint, account char(4), debit bigint, credit bigint)
language sql stable parallel safe as $$
  select s.merchant_account_id, s.account, s.debit, s.credit from journal_span s
  where s.merchant_account_id = any (merchants) and s.unit = 'all'
  union all
  select d.merchant_account_id, d.account, d.debit, d.credit from journal_day d
  where d.merchant_account_id = any (merchants) and not d.folded
  union all
  select d.merchant_account_id, d.account, -d.debit, -d.credit from journal_day d
  where d.merchant_account_id = any (merchants) and d.day > last
$$;

-- A period month by month, of whole months.
create or replace function journal_months(stores bigint[], first date, last date)
returns table (
  village_id bigint, month date, account char(4), event text, fee_subject_id bigint, debit bigint, credit bigint)
language sql stable parallel safe as $$
  select s.village_id, s.day, s.account, s.event, s.fee_subject_id, s.debit, s.credit from journal_span s
  where s.village_id = any (stores) and s.unit = 'month' and s.day between month_of(first) and last
  union all
  select d.village_id, month_of(d.day), d.account, d.event, d.fee_subject_id, d.debit, d.credit from journal_day d
  where d.village_id = any (stores) and d.day between month_of(first) and last and not d.folded
$$;

-- Days go where they are folded, or made anew: what was loose of them is in the spans from then on.
create or replace function journal_span_takes() returns trigger language plpgsql as $$
begin
  insert into journal_span as s (village_id, unit, day, account, event, fee_subject_id, merchant_account_id, debit, credit)
  select d.village_id, u.unit, span_day(u.unit, d.day), d.account, d.event, d.fee_subject_id, d.merchant_account_id,
    sum(d.debit), sum(d.credit)
  from gone d, (values ('month'), ('quarter'), ('year'), ('all')) u (unit) where not d.folded group by 1, 2, 3, 4, 5, 6, 7
  on conflict (village_id, unit, day, account, event, fee_subject_id, merchant_account_id)
    do update set debit = s.debit + excluded.debit, credit = s.credit + excluded.credit;
  return null;
end $$;

create or replace trigger journal_span_takes after delete on journal_day
  referencing old table as gone for each statement execute function journal_span_takes();

create or replace function journal_span_fold(most int) returns bigint language sql as 'select 0::bigint';

create or replace function journal_span_renew() returns void language sql as $$
  delete from journal_span;
  insert into journal_span (village_id, unit, day, account, event, fee_subject_id, merchant_account_id, debit, credit)
  select d.village_id, u.unit, span_day(u.unit, d.day), d.account, d.event, d.fee_subject_id, d.merchant_account_id,
    sum(d.debit), sum(d.credit)
  from journal_day d, (values ('month'), ('quarter'), ('year'), ('all')) u (unit) where d.folded group by 1, 2, 3, 4, 5, 6, 7
$$;
