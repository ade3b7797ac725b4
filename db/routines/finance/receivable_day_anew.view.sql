create or replace view receivable_day_anew as
select l.village_id, b.due_date, l.date "day",
  coalesce(sum(l.debit - l.credit) filter (where e.event not in ('E08', 'E09')), 0)::bigint billed,
  coalesce(-sum(l.debit - l.credit) filter (where e.event in ('E08', 'E09')), 0)::bigint settled
from journal_line l join journal_entry e on e.id = l.entry_id join bill b on b.id = l.bill_id
where l.account = '1122' and e.event <> 'E11' group by 1, 2, 3;
