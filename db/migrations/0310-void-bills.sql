-- What is void has nothing open, and nothing is booked on it any more. The void bill itself said so; its lines did not.
alter table bill_line add column voided boolean not null default false;
update bill_line l set voided = true from bill b where b.id = l.bill_id and b.voided_at is not null;
alter table bill_line drop column outstanding;
alter table bill_line add column outstanding bigint generated always as
  (case when amount > 0 and kind in ('normal', 'lateFee') and not voided
    then amount + adjusted - settled - written_off else 0 end)
  stored constraint bill_line_outstanding check (outstanding >= 0);
comment on column bill_line.voided is 'kept with bill.voided_at by a trigger';

create function refuse_on_void() returns void language plpgsql as $$
begin
  raise exception '账单已作废，不能再记账' using errcode = 'check_violation', constraint = 'bill_void';
end $$;

-- Only growth is refused: a void bill that was paid before this rule existed is put right by taking its payments back.
create function bill_void_guard() returns trigger language plpgsql as $$
begin
  if new.voided_at is null then
    raise exception '作废的账单不能恢复' using errcode = 'check_violation', constraint = 'bill_void';
  elsif old.voided_at is null then
    if new.settled <> 0 or new.written_off <> 0 then
      raise exception '账单已收款或核销，不能作废' using errcode = 'check_violation', constraint = 'bill_void_paid';
    end if;
  elsif new.settled > old.settled or new.written_off > old.written_off or new.amount <> old.amount
    or new.adjusted <> old.adjusted or (old.issued_at is null and new.issued_at is not null) then
    perform refuse_on_void();
  end if;
  return new;
end $$;
create trigger bill_void_guard before update on bill for each row
  when (old.voided_at is not null or new.voided_at is not null) execute function bill_void_guard();

create function bill_void_lines() returns trigger language plpgsql as $$
begin
  update bill_line set voided = true where bill_id = new.id;
  return null;
end $$;
create trigger bill_void_lines after update of voided_at on bill for each row
  when (old.voided_at is null and new.voided_at is not null) execute function bill_void_lines();

create function bill_line_void_guard() returns trigger language plpgsql as $$
begin
  if not new.voided or new.settled > old.settled or new.written_off > old.written_off or new.amount <> old.amount
    or new.adjusted <> old.adjusted then
    perform refuse_on_void();
  end if;
  return new;
end $$;
create trigger bill_line_void_guard before update on bill_line for each row
  when (old.voided) execute function bill_line_void_guard();

create function added_on_void() returns trigger language plpgsql as $$
begin
  if exists (select from added a join bill b on b.id = a.bill_id where b.voided_at is not null) then
    perform refuse_on_void();
  end if;
  return null;
end $$;
create trigger bill_line_added_on_void after insert on bill_line
  referencing new table as added for each statement execute function added_on_void();

-- What is taken back is negative and may come late.
create function allocated_on_void() returns trigger language plpgsql as $$
begin
  if exists (select from added a join bill b on b.id = a.bill_id where a.amount > 0 and b.voided_at is not null) then
    perform refuse_on_void();
  end if;
  return null;
end $$;
create trigger allocation_on_void after insert on allocation
  referencing new table as added for each statement execute function allocated_on_void();

-- The journal takes nothing for a void bill but the mirror of what stands there.
create function journal_on_void() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join bill b on b.id = a.bill_id join journal_entry e on e.id = a.entry_id
    where b.voided_at is not null and e.reverses_id is null) then
    perform refuse_on_void();
  end if;
  return null;
end $$;
create trigger journal_line_on_void after insert on journal_line
  referencing new table as added for each statement execute function journal_on_void();
