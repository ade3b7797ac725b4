-- Lines can only join an entry of their own transaction, so an entry that was committed never changes.
create or replace function journal_line_guard() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added a left join journal_entry e
      on e.id = a.entry_id and e.xact_id = pg_current_xact_id() and e.date = a.date
    where e.id is null) then
    raise exception '凭证已提交，不能追加分录' using errcode = 'restrict_violation';
  end if;
  -- what proves the entry is its last line: one of those that were just added
  if exists (
    select from (select entry_id, max(seq) last from added group by 1) a
    where a.last <> (select max(seq) from journal_line where entry_id = a.entry_id)) then
    raise exception '分录序号须递增' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- An entry is proved with whatever joins it, by the last of its lines: line by line a bill of thousands of rooms would be
-- added up thousands of times.
create or replace function journal_entry_guard() returns trigger language plpgsql as $$
begin
  if not exists (select from journal_line where entry_id = new.id) then
    raise exception '凭证不平衡' using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- Whose an entry is: its stores' enterprise, or that of its receiving accounts where all of it is head office's.
create or replace function entry_enterprise(entry bigint) returns bigint language sql stable as $$
  select min(coalesce(v.enterprise_id, m.enterprise_id)) from journal_line l
  left join village v on v.id = l.village_id left join merchant_account m on m.id = l.merchant_account_id
  where l.entry_id = entry
$$;

-- Without sequential scans: a connection keeps the plan that it made over a small ledger, and an act may post thousands of entries.
create or replace function journal_line_proof() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if new.seq < (select max(seq) from journal_line where entry_id = new.entry_id) then
    return null;
  end if;
  -- materialized: its lines are read by its key, never all lines of the ledger in the order of their stores
  if exists (
    with proved as materialized (select village_id, debit, credit from journal_line where entry_id = new.entry_id)
    select from proved group by village_id having sum(debit) <> sum(credit)) then
    raise exception '凭证不平衡' using errcode = 'check_violation';
  end if;
  if exists (
    select from period_lock p join journal_entry e on e.id = new.entry_id and e.side = p.side
    where p.month = to_char(new.date, 'YYYY-MM')
      and exists (select from journal_line l where l.entry_id = new.entry_id
        and (l.village_id = p.village_id
          or (l.village_id is null and p.enterprise_id = entry_enterprise(new.entry_id))))) then
    raise exception '该月已锁账' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

drop trigger if exists journal_entry_guard on journal_entry;
create constraint trigger journal_entry_guard after insert on journal_entry
  deferrable initially deferred for each row execute function journal_entry_guard();

create or replace trigger journal_line_guard after insert on journal_line
  referencing new table as added for each statement execute function journal_line_guard();

drop trigger if exists journal_line_proof on journal_line;
create constraint trigger journal_line_proof after insert on journal_line
  deferrable initially deferred for each row execute function journal_line_proof();

-- Months are locked one after the other, and opened again from the last one on.
create or replace function period_lock_order() returns trigger language plpgsql as $$
declare
  last text := (select max(month) from period_lock
    where side = new.side and village_id is not distinct from new.village_id
      and enterprise_id is not distinct from new.enterprise_id);
begin
  if new.month <> coalesce(to_char(to_date(last, 'YYYY-MM') + interval '1 month', 'YYYY-MM'), new.month) then
    raise exception '锁账须按月份顺序' using errcode = 'check_violation', constraint = 'period_lock_order';
  end if;
  return new;
end $$;

create or replace function period_lock_opened() returns trigger language plpgsql as $$
begin
  if exists (select from period_lock where side = old.side and village_id is not distinct from old.village_id
    and enterprise_id is not distinct from old.enterprise_id and month > old.month) then
    raise exception '只能解锁最后一个锁账的月份' using errcode = 'check_violation', constraint = 'period_lock_last';
  end if;
  return old;
end $$;

create or replace trigger period_lock_order before insert on period_lock for each row execute function period_lock_order();

create or replace trigger period_lock_opened before delete on period_lock for each row execute function period_lock_opened();
