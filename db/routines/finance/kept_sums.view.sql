-- The ledger sums of the books; keep_sum.sql says what is made of each.
call keep_sum('taking_day', $$
  select l.village_id, l.date "day", f.channel, f.merchant_account_id, f.created_by operator_id,
    case l.account when '2203' then l.credit - l.debit else 0 end amount,
    case l.account when '2203' then l.debit else 0 end reversed,
    case l.account when '6602' then l.debit - l.credit else 0 end fee,
    case when l.account = '2203' and l.credit > 0 then 1 else 0 end flows
  from {lines} l join journal_entry e on e.id = l.entry_id join flow f on f.id = l.flow_id and f.kind = 'receipt'
  where l.account = '6602' or (l.account = '2203' and e.event in ('E06', 'E17', 'E10')) $$,
  '{village_id,day,channel,merchant_account_id,operator_id}', '{amount,reversed,fee,flows}', '{收款,冲销,手续费,笔数}',
  '{village_id,day}', false);

call keep_sum('receivable_day', $$
  select l.village_id, b.due_date, l.date "day",
    case when e.event in ('E08', 'E09', 'E14') then 0 else l.debit - l.credit end billed,
    case when e.event in ('E08', 'E09', 'E14') then l.credit - l.debit else 0 end settled
  from {lines} l join journal_entry e on e.id = l.entry_id join bill b on b.id = l.bill_id
  where l.account = '1122' and e.event <> 'E11' $$,
  '{village_id,due_date,day}', '{billed,settled}', '{应收,已收}', '{village_id,due_date}', true);

call keep_sum('arrears_day', $$
  select l.village_id, greatest(l.date, b.due_date + 1) "day", l.debit - l.credit fen
  from {lines} l join bill b on b.id = l.bill_id where l.account = '1122' $$,
  '{village_id,day}', '{fen}', '{欠费变动}', '{village_id,day}', true);

call keep_sum('journal_day', $$
  select coalesce(l.village_id, -(select min(coalesce(v.enterprise_id, m.enterprise_id)) from {lines} x
      left join village v on v.id = x.village_id left join merchant_account m on m.id = x.merchant_account_id
      where x.entry_id = l.entry_id)) village_id,
    l.date "day", l.account, e.event, l.fee_subject_id, l.merchant_account_id, l.debit, l.credit
  from {lines} l join journal_entry e on e.id = l.entry_id $$,
  '{village_id,day,account,event,fee_subject_id,merchant_account_id}', '{debit,credit}', '{借方,贷方}', '{village_id,day}', false);

call keep_spread('income_day', 'income_due', 'bill_line_id', 'income_days', $$
  select l.id, g.gone from bill b join bill_line l on l.bill_id = b.id
  join (values (false), (true)) g (gone) on not g.gone or b.voided_at is not null
  where b.issued_at is not null and b.direction = 'receivable' $$,
  '{village_id,day,fee_subject_id}', '{fen,tax}', '{权责收入,其中税额}');

-- What the spans of the journal should be, and are with what is not folded yet: months by the days, longer ones by the months.
create or replace view journal_by_span as
  with longer (unit) as (values ('quarter'), ('year'), ('all')), loose as (select * from journal_day where not folded)
  select village_id, 'month' unit, month_of(day) "day", debit, credit from journal_day
  union all
  select s.village_id, u.unit, span_day(u.unit, s.day), s.debit, s.credit from journal_span s, longer u where s.unit = 'month'
  union all
  select d.village_id, u.unit, span_day(u.unit, d.day), d.debit, d.credit from loose d, longer u;
create or replace view journal_spanned as
  select village_id, unit, day, debit, credit from journal_span
  union all
  select d.village_id, u.unit, span_day(u.unit, d.day), d.debit, d.credit
  from journal_day d, (values ('month'), ('quarter'), ('year'), ('all')) u (unit) where not d.folded;
call prove_sum('journal_span', '(select *, unit || '' '' || day "key" from journal_spanned)',
  '(select *, unit || '' '' || day "key" from journal_by_span)', 'key', '{debit,credit}', '{借方合计,贷方合计}');

call prove_sum('bill_due', '(select *, due_date || '' '' || status "key" from bill_due)',
  '(select *, due_date || '' '' || status "key", 1 bills,
    bill_uninvoiced(direction, voided_at, source, subject_ids, (select invoiceable_subjects()), amount + adjusted - invoiced) uninvoiced from bill)', 'key',
  '{bills,amount,adjusted,settled,written_off,outstanding,uninvoiced,invoiced}', '{笔数,应收,减免,已收,核销,未收,未开票,已开票}');

-- The same for the days that bills are due: what the spans should be, and are with what is not folded yet.
create or replace view bill_due_by_span as
  select d.*, u.unit || ' ' || span_day(u.unit, d.due_date) || ' ' || d.status "key"
  from bill_due d, (values ('month'), ('quarter'), ('year')) u (unit);
create or replace view bill_due_spanned as
  select *, true folded, unit || ' ' || due_date || ' ' || status "key" from bill_due_span
  union all
  select village_id, null, due_date, direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced,
    invoiced, folded, "key" from bill_due_by_span where not folded;
call prove_sum('bill_due_span', 'bill_due_spanned', 'bill_due_by_span', 'key',
  '{bills,amount,adjusted,settled,written_off,outstanding,uninvoiced,invoiced}',
  '{笔数合计,应收合计,减免合计,已收合计,核销合计,未收合计,未开票合计,已开票合计}');

call keep_sums('{taking_day,receivable_day,arrears_day,journal_day,journal_span,income_day,bill_due,bill_due_span}');

-- A database of before these sums has none of their rows.
do $$ begin
  if not exists (select from receivable_day) then perform receivable_day_renew(); end if;
  if not exists (select from journal_day) then perform journal_day_renew(); end if;
  if not exists (select from journal_span) then perform journal_span_renew(); end if;
  if not exists (select from bill_due) then perform bill_due_renew(); end if;
  if not exists (select from bill_due_span) then perform bill_due_span_renew(); end if;
  if not exists (select from income_day) then perform income_day_renew(); end if;
end $$;
