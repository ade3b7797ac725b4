-- The first day that was open for income when a bill was issued, or void, or a line joined it. It was worked out again and again
-- from moments, which say nothing of what was first where an act takes a while or a month is locked and opened within it.
alter table bill add income_from date, add gone_from date;
alter table bill_line add income_from date;

create function pg_temp.opened(village bigint, known timestamptz) returns date language sql stable as $$
  select (to_date(max(p.month), 'YYYY-MM') + interval '1 month')::date from (
    select month from period_lock where village_id = village and side = 'income' and locked_at <= known
    union all
    select month from period_reopened
    where village_id = village and side = 'income' and locked_at <= known and known < reopened_at) p
$$;

do $$ begin
  -- where no month was ever locked there is nothing to keep
  if not exists (select from period_lock union all select from period_reopened) then return; end if;
  update bill b set income_from = k.income_from, gone_from = k.gone_from
  from (select id, pg_temp.opened(village_id, issued_at) income_from, pg_temp.opened(village_id, voided_at) gone_from from bill
    where issued_at is not null and direction = 'receivable') k
  where k.id = b.id and (k.income_from is not null or k.gone_from is not null);

  update bill_line l set income_from = coalesce(k.opens, '-infinity')
  from (select l.id, b.income_from, pg_temp.opened(b.village_id, l.created_at) opens from bill_line l join bill b on b.id = l.bill_id
    where b.direction = 'receivable' and l.created_at > b.issued_at) k
  where k.id = l.id and k.opens is distinct from k.income_from;
end $$;

drop function pg_temp.opened(bigint, timestamptz);
drop function if exists income_open_from(bigint, timestamptz);

-- When and why a month was opened again stands with its batch and in the log; nothing reads it here any more.
drop table period_reopened;
