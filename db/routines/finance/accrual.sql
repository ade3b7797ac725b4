-- The first month of a store that is open for income; nothing where none was ever locked.
create or replace function income_opens(village bigint) returns date language sql stable as $$
  select (to_date(max(month), 'YYYY-MM') + interval '1 month')::date from period_lock
  where village_id = village and side = 'income'
$$;

-- Contracts whose rent is recognised evenly: all of it by its months, cumulated and rounded half up, each over its days, whether
-- anything is billed for them or not. What each calendar month earned, the last as far as a day, and the tax in it.
-- A last month that is not whole counts as the share of its days.
create or replace function even_income(contracts bigint[], until date)
returns table (contract_id bigint, party_id bigint, fee_subject_id bigint, month date, gross bigint, tax bigint)
language sql stable as $$
with terms as (
  select c.id, c.party_id, c.start_date first, coalesce(c.leave_date, c.end_date) + 1 ends,
    (extract(year from age(coalesce(c.leave_date, c.end_date) + 1, c.start_date)) * 12
      + extract(month from age(coalesce(c.leave_date, c.end_date) + 1, c.start_date)))::int whole
  from contract_brief c where c.id = any(contracts) and coalesce(c.leave_date, c.end_date) >= c.start_date
), rents as (
  select t.*, r.fee_subject_id, r.gross, r.tax,
    t.whole + (t.ends - (t.first + t.whole * interval '1 month')::date)::numeric
      / ((t.first + (t.whole + 1) * interval '1 month')::date - (t.first + t.whole * interval '1 month')::date) long
  from terms t cross join lateral (
    select l.fee_subject_id, sum(l.amount)::bigint gross, sum(l.tax)::bigint tax
    from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
    where b.contract_id = t.id and b.voided_at is null and b.direction = 'receivable' and b.source <> 'opening'
      and s.code = 'rent' and s.kind = 'income'
    group by 1) r
), parts as (
  select r.id, (r.first + k * interval '1 month')::date first,
    least((r.first + (k + 1) * interval '1 month')::date, r.ends) - (r.first + k * interval '1 month')::date days,
    (round(r.gross * least(k + 1, r.long) / r.long) - round(r.gross * k / r.long))::bigint fen
  from rents r, generate_series(0, ceil(r.long)::int - 1) k
), upto as (
  select r.id, m::date "month", sum(earned(p.fen, greatest(least(least((m + interval '1 month')::date, until + 1) - p.first, p.days), 0), p.days)) fen
  from rents r, generate_series(month_of(r.first), least(r.ends - 1, until), interval '1 month') m, parts p
  where p.id = r.id group by 1, 2
), taxed as (
  select u.id, u.month, u.fen, round(r.tax * u.fen / nullif(r.gross, 0)) tax from upto u join rents r on r.id = u.id
)
select r.id, r.party_id, r.fee_subject_id, t.month,
  (t.fen - coalesce(lag(t.fen) over w, 0))::bigint, coalesce(t.tax - coalesce(lag(t.tax) over w, 0), 0)::bigint
from taxed t join rents r on r.id = t.id
window w as (partition by t.id order by t.month)
$$;

-- What the books of a store still lack of rent that is recognised evenly, as far as a day. Of a month that is locked it falls to the
-- first open one. `even`: the days on which such contracts were signed.
create or replace function even_due(village bigint, until date, even daterange[])
returns table (contract_id bigint, fee_subject_id bigint, month date, gross bigint, tax bigint)
language sql stable as $$
with evenly as materialized (
  select array_agg(c.id) ids from contract_brief c
  where c.village_id = village and exists (select from unnest(even) d where c.signed_on <@ d)
), compared as (
  select e.contract_id, e.fee_subject_id, e.month, e.gross, e.tax from evenly c, even_income(c.ids, until) e
  union all
  select r.contract_id, r.fee_subject_id, to_date(r.month, 'YYYY-MM'), -r.gross, -r.tax
  from evenly c join accrual_row r on r.contract_id = any(c.ids) where r.month <= to_char(until, 'YYYY-MM')
)
select c.contract_id, c.fee_subject_id, greatest(c.month, o.opens), sum(c.gross)::bigint, sum(c.tax)::bigint
from compared c cross join (select income_opens(village) opens) o
group by 1, 2, 3 having sum(c.gross) <> 0 or sum(c.tax) <> 0
$$;

-- What the books of a store still lack of what its lines have earned by the end of a month, by line, month and kind. Of a month
-- that is locked it falls to the first open one. `even`: the days on which contracts were signed whose rent is recognised evenly.
create or replace function accrual_due(village bigint, until date, even daterange[])
returns table (line_id bigint, contract_id bigint, party_id bigint, fee_subject_id bigint, month date, kind text, gross bigint, tax bigint)
language sql stable as $$
with evenly as materialized (
  select id from contract_brief c where c.village_id = village and exists (select from unnest(even) d where c.signed_on <@ d)
), done as (
  select bill_line_id, sum(gross)::bigint gross, sum(tax)::bigint tax from accrual_row
  where village_id = village and bill_line_id is not null group by 1
), unfinished as materialized (
  select coalesce(array_agg(l.id), '{}') ids
  from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
    left join done d on d.bill_line_id = l.id
  where b.village_id = village and b.direction = 'receivable' and b.source <> 'opening' and b.issued_at is not null
    and s.kind = 'income' and (s.code <> 'rent' or b.contract_id is null or b.contract_id not in (select id from evenly))
    and (coalesce(d.gross, 0), coalesce(d.tax, 0)) is distinct from
      (case when b.voided_at is null then l.amount else 0 end, case when b.voided_at is null then l.tax else 0 end)
), compared as (
  select m.line_id, null::bigint contract_id, null::bigint fee_subject_id, m.month,
    case when m.of_month < m.month then 'catchUp' else 'normal' end kind, m.gross, m.tax
  from unfinished u, income_months(u.ids, until) m
  union all
  select r.bill_line_id, null, null, to_date(r.month, 'YYYY-MM'), r.kind, -r.gross, -r.tax
  from unfinished u join accrual_row r on r.bill_line_id = any(u.ids) where r.month <= to_char(until, 'YYYY-MM')
  union all
  select null, e.contract_id, e.fee_subject_id, e.month, 'straightLine', e.gross, e.tax from even_due(village, until, even) e
), lacking as (
  select c.line_id, c.contract_id, c.fee_subject_id, greatest(c.month, o.opens) "month",
    case when c.month < o.opens and c.line_id is not null then 'catchUp' else c.kind end kind,
    sum(c.gross)::bigint gross, sum(c.tax)::bigint tax
  from compared c cross join (select income_opens(village) opens) o
  group by 1, 2, 3, 4, 5 having sum(c.gross) <> 0 or sum(c.tax) <> 0
)
select k.line_id, coalesce(c.id, b.contract_id), coalesce(c.party_id, b.party_id), coalesce(k.fee_subject_id, l.fee_subject_id),
  k.month, k.kind, k.gross, k.tax
from lacking k left join bill_line l on l.id = k.line_id left join bill b on b.id = l.bill_id
  left join contract_brief c on c.id = k.contract_id
where k.month <= until
$$;

-- The tax that a store still has to declare of what no invoice was issued for, by the end of a month, by bill line with its
-- corrections; below nothing where too much was declared. `basis`: what makes it due, money received or income recognised.
-- What a contract brings evenly is declared contract by contract, third-party income as a whole.
create or replace function tax_due(village bigint, until date, basis text)
returns table (line_id bigint, contract_id bigint, party_id bigint, fee_subject_id bigint, tax bigint)
language sql stable as $$
with evenly as materialized (
  select distinct r.contract_id, r.fee_subject_id from accrual_row r where r.village_id = village and r.contract_id is not null
), line as materialized (
  select l.id, l.amount, l.tax, b.voided_at is null standing, s.kind, l.created_at,
    case when e.contract_id is null then coalesce(l.adjusts_line_id, l.id) end root, e.contract_id
  from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
    left join evenly e on e.contract_id = b.contract_id and e.fee_subject_id = l.fee_subject_id
  where b.village_id = village and b.direction = 'receivable' and b.issued_at is not null and s.kind in ('income', 'lateFee')
    and l.tax <> 0
), base as (
  select l.root, l.contract_id, sum(r.tax) tax from line l join accrual_row r on r.bill_line_id = l.id
  where basis = 'invoiceOrAccrual' and r.month <= to_char(until, 'YYYY-MM') group by 1, 2
  union all
  select null::bigint, contract_id, sum(tax) from accrual_row
  where basis = 'invoiceOrAccrual' and village_id = village and contract_id is not null and month <= to_char(until, 'YYYY-MM')
  group by 1, 2
  union all
  select root, contract_id, sum(tax) from line
  where basis = 'invoiceOrAccrual' and kind = 'lateFee' and standing and created_at < until + 1 group by 1, 2
  union all
  select w.root, w.contract_id, round(w.tax * p.paid / w.amount)
  from (select root, contract_id, sum(amount) amount, sum(tax) tax, array_agg(id) ids from line
    where basis = 'invoiceOrReceipt' and standing group by 1, 2 having sum(amount) > 0) w
  cross join lateral (select sum(a.amount) paid from allocation a
    where a.bill_line_id = any(w.ids) and a.kind <> 'writeOff' and a.date <= until) p
  where p.paid <> 0
  union all
  select null::bigint, null::bigint, sum(j.credit - j.debit)
  from journal_line j join journal_entry e on e.id = j.entry_id and e.event = 'E27'
  where j.village_id = village and j.account = '2222' and j.date <= until
), moved as (
  select l.root, coalesce(l.contract_id, case when j.bill_line_id is null then j.contract_id end) contract_id,
    coalesce(sum(j.credit - j.debit) filter (where e.event = 'E22'), 0) invoiced,
    coalesce(sum(j.credit - j.debit) filter (where e.event = 'E23'), 0) declared
  from journal_line j join journal_entry e on e.id = j.entry_id left join line l on l.id = j.bill_line_id
  where j.village_id = village and j.account = '2221' group by 1, 2
), due as (
  select b.root, b.contract_id, greatest(sum(b.tax), sum(b.invoiced)) - sum(b.invoiced) - sum(b.declared) tax
  from (
    select root, contract_id, tax, 0 invoiced, 0 declared from base
    union all
    select root, contract_id, 0, invoiced, declared from moved) b
  group by 1, 2
)
select d.root, coalesce(d.contract_id, b.contract_id), coalesce(c.party_id, b.party_id), coalesce(e.fee_subject_id, l.fee_subject_id),
  d.tax::bigint
from due d left join bill_line l on l.id = d.root left join bill b on b.id = l.bill_id
  left join evenly e on e.contract_id = d.contract_id left join contract_brief c on c.id = d.contract_id
where d.tax <> 0 and basis <> 'invoice'
$$;
