-- The first month of a store that is open for income; nothing where none was ever locked.
create or replace function income_opens(village bigint) returns date language sql stable as $$
  select (to_date(max(month), 'YYYY-MM') + interval '1 month')::date from period_lock
  where village_id = village and side = 'income'
$$;

-- What the books of a store still lack of what its lines have earned by the end of a month, by line, month and kind. Of a month
-- that is locked it falls to the first open one.
create or replace function accrual_due(village bigint, until date)
returns table (line_id bigint, contract_id bigint, party_id bigint, fee_subject_id bigint, month date, kind text, gross bigint, tax bigint)
language sql stable as $$
with done as (
  select bill_line_id, sum(gross)::bigint gross, sum(tax)::bigint tax from accrual_row
  where village_id = village and bill_line_id is not null group by 1
), unfinished as materialized (
  select coalesce(array_agg(l.id), '{}') ids
  from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
    left join done d on d.bill_line_id = l.id
  where b.village_id = village and b.direction = 'receivable' and b.source <> 'opening' and b.issued_at is not null
    and s.kind = 'income'
    and (coalesce(d.gross, 0), coalesce(d.tax, 0)) is distinct from
      (case when b.voided_at is null then l.amount else 0 end, case when b.voided_at is null then l.tax else 0 end)
), compared as (
  select m.line_id, m.month, case when m.of_month < m.month then 'catchUp' else 'normal' end kind, m.gross, m.tax
  from unfinished u, income_months(u.ids, until) m
  union all
  select r.bill_line_id, to_date(r.month, 'YYYY-MM'), r.kind, -r.gross, -r.tax
  from unfinished u join accrual_row r on r.bill_line_id = any(u.ids) where r.month <= to_char(until, 'YYYY-MM')
), lacking as (
  select c.line_id, greatest(c.month, o.opens) "month", case when c.month < o.opens then 'catchUp' else c.kind end kind,
    sum(c.gross)::bigint gross, sum(c.tax)::bigint tax
  from compared c cross join (select income_opens(village) opens) o
  group by 1, 2, 3 having sum(c.gross) <> 0 or sum(c.tax) <> 0
)
select k.line_id, b.contract_id, b.party_id, l.fee_subject_id, k.month, k.kind, k.gross, k.tax
from lacking k join bill_line l on l.id = k.line_id join bill b on b.id = l.bill_id
where k.month <= until
$$;
