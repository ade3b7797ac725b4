create or replace function refuse_on_void() returns void language plpgsql as $$
begin
  raise exception '账单已作废，不能再记账' using errcode = 'check_violation', constraint = 'bill_void';
end $$;

-- Only growth is refused: a void bill that was paid before this rule existed is put right by taking its payments back.
create or replace function bill_void_guard() returns trigger language plpgsql as $$
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

create or replace function bill_void_lines() returns trigger language plpgsql as $$
begin
  update bill_line set voided = true where bill_id = new.id;
  return null;
end $$;

create or replace function bill_line_void_guard() returns trigger language plpgsql as $$
begin
  if not new.voided or new.settled > old.settled or new.written_off > old.written_off or new.amount <> old.amount
    or new.adjusted <> old.adjusted then
    perform refuse_on_void();
  end if;
  return new;
end $$;

create or replace function added_on_void() returns trigger language plpgsql as $$
begin
  if exists (select from added a join bill b on b.id = a.bill_id where b.voided_at is not null) then
    perform refuse_on_void();
  end if;
  return null;
end $$;

-- What is taken back is negative and may come late.
create or replace function allocated_on_void() returns trigger language plpgsql as $$
begin
  if exists (select from added a join bill b on b.id = a.bill_id where a.amount > 0 and b.voided_at is not null) then
    perform refuse_on_void();
  end if;
  return null;
end $$;

-- The journal takes nothing for a void bill but the mirror of what stands there.
create or replace function journal_on_void() returns trigger language plpgsql as $$
begin
  if exists (
    select from added a join bill b on b.id = a.bill_id
    where b.voided_at is not null and (select reverses_id is null from journal_entry where id = a.entry_id)) then
    perform refuse_on_void();
  end if;
  return null;
end $$;

create or replace trigger bill_void_guard before update on bill for each row
  when (old.voided_at is not null or new.voided_at is not null) execute function bill_void_guard();

create or replace trigger bill_void_lines after update of voided_at on bill for each row
  when (old.voided_at is null and new.voided_at is not null) execute function bill_void_lines();

create or replace trigger bill_line_void_guard before update on bill_line for each row
  when (old.voided) execute function bill_line_void_guard();

create or replace trigger bill_line_added_on_void after insert on bill_line
  referencing new table as added for each statement execute function added_on_void();

create or replace trigger allocation_on_void after insert on allocation
  referencing new table as added for each statement execute function allocated_on_void();

create or replace trigger journal_line_on_void after insert on journal_line
  referencing new table as added for each statement execute function journal_on_void();
