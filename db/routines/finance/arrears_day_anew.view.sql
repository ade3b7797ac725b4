create or replace view arrears_day_anew as
select l.village_id, greatest(l.date, b.due_date + 1) "day", sum(l.debit - l.credit)::bigint fen
from journal_line l join bill b on b.id = l.bill_id where l.account = '1122' group by 1, 2;
