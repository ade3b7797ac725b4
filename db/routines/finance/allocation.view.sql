-- What stands of each payment of a line: what was taken back of it is off, and one that was taken back whole is left out.
create or replace view allocation_standing as
  select a.id, a.bill_id, a.bill_line_id, a.kind, a.flow_id, a.village_id, a.date, a.amount + coalesce(u.amount, 0) amount
  from allocation a left join lateral (select sum(amount)::bigint amount from allocation where undoes_id = a.id) u on true
  where a.undoes_id is null and a.amount + coalesce(u.amount, 0) <> 0;
