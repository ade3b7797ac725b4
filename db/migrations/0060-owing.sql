-- What was owed at the end of a day, bill by bill: what is open now, plus what came in, was taken off or voided after it.
-- So a recent day costs what happened since, and not what is stored.
create index bill_line_later on bill_line (created_at) where kind <> 'normal';
create index bill_voided on bill (village_id, voided_at) where voided_at is not null;

create function owing_at(d date, villages bigint[])
returns table (bill_id bigint, village_id bigint, contract_id bigint, room_id bigint, party_id bigint, due_date date, outstanding bigint)
language sql stable as $$
with later as (
  select a.bill_id, sum(a.amount)::bigint fen from allocation a
  where a.village_id = any (villages) and a.date > d group by 1
), grown as (
  select l.bill_id, sum(l.amount)::bigint fen from bill_line l
  where l.kind <> 'normal' and l.created_at >= d + 1 group by 1
), touched as (
  select bill_id from later union select bill_id from grown
  union select b.id from bill b where b.village_id = any (villages) and b.voided_at >= d + 1
), past as (
  select b.id, b.village_id, b.contract_id, b.room_id, b.party_id, b.due_date,
    case when b.voided_at is null or b.voided_at >= d + 1 then b.amount + b.adjusted - b.settled - b.written_off else 0 end
      + coalesce(later.fen, 0) - coalesce(grown.fen, 0) outstanding
  from touched t join bill b on b.id = t.bill_id
  left join later on later.bill_id = b.id left join grown on grown.bill_id = b.id
  where b.village_id = any (villages) and b.due_date < d and b.direction = 'receivable' and b.created_at < d + 1
)
select * from past where outstanding > 0
union all
select b.id, b.village_id, b.contract_id, b.room_id, b.party_id, b.due_date, b.outstanding
from bill b
where b.village_id = any (villages) and b.outstanding > 0 and b.due_date < d and b.direction = 'receivable'
  and b.created_at < d + 1 and b.id not in (select t.bill_id from touched t)
$$;
