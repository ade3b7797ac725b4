-- Takings that nobody has handed over, one row each, but for what another submission had kept: flows of cash boxes and of
-- POS accounts with hand-over (less their fee), and what stores have paid for a short.
create or replace view takings_loose as
  select 'flow' what, f.id ref, f.village_id, f.merchant_account_id,
    case a.kind when 'cash' then 'cash' else 'pos' end kind, f.paid_on bank_day,
    f.amount - case a.kind when 'cash' then 0 else f.fee end amount
  from merchant_account a join flow f on f.merchant_account_id = a.id
  where (a.kind = 'cash' or (a.handover and a.kind in ('pos', 'unionpay'))) and f.submission_id is null
    and f.state = 'confirmed' and f.direction = 'in' and f.channel in ('cash', 'pos', 'unionpay')
    and f.amount > case a.kind when 'cash' then 0 else f.fee end
  union all
  select 'repaid', s.id, s.village_id, s.repaid_account_id, 'cash', s.settled_on, s.submitted - s.received
  from submission s where s.repaid_account_id is not null
    and not exists (select from submission_item i where i.of_id = s.id and i.what = 'repaid' and i.live);

-- All of them. What was kept counts as far as it still lies in its account, the newest first: the rest was paid out of it.
create or replace view takings_open as
  select * from takings_loose
  union all
  select 'kept', k.id, k.village_id, k.from_account_id, k.kind, k.bank_day, least(k.kept, b.fen - k.newer)::bigint
  from (
    select s.id, s.village_id, s.from_account_id, s.kind, s.bank_day, s.kept,
      sum(s.kept) over (partition by s.from_account_id order by s.bank_day desc, s.id desc) - s.kept newer
    from submission s where s.kept > 0 and s.state <> 'cancelled'
      and not exists (select from submission_item i where i.of_id = s.id and i.what = 'kept' and i.live)) k
  cross join lateral (
    select coalesce((select sum(l.debit - l.credit) from merchant_until(array[k.from_account_id], 'infinity') l
      where l.account in ('1001', '1012')), 0)
      - coalesce((select sum(o.amount) from takings_loose o where o.merchant_account_id = k.from_account_id), 0) fen) b
  where b.fen > k.newer;
