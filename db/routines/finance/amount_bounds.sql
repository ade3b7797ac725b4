-- A new bill keeps the bound; the late fees written on it later, which never exceed what they are laid on, may double
-- it.
-- Old bills beyond it must still be paid back and voided, so only what is added is looked at, and no check stands here.
create or replace function refuse_beyond() returns trigger language plpgsql as $$
begin
  raise exception '金额过大' using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
end $$;

-- What mirrors an entry of before is as large as that one.
create or replace function journal_line_bound() returns trigger language plpgsql as $$
begin
  if not exists (select from journal_entry where id = new.entry_id and reverses_id is not null) then
    raise exception '金额过大' using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return new;
end $$;

create or replace trigger bill_line_amount_bound before insert on bill_line for each row
  when (new.amount not between -9999999999 and 9999999999)
  execute function refuse_beyond();

create or replace trigger bill_amount_bound before insert on bill for each row
  when (new.amount > 9999999999 or new.adjusted not between -9999999999 and 9999999999)
  execute function refuse_beyond();

create or replace trigger bill_sum_bound before update of amount, adjusted on bill for each row
  when (new.amount + new.adjusted > 19999999998 and new.amount + new.adjusted > old.amount + old.adjusted)
  execute function refuse_beyond();

create or replace trigger journal_line_amount_bound before insert on journal_line for each row
  when (new.debit > 9999999999 or new.credit > 9999999999)
  execute function journal_line_bound();
