-- One bound for money: no amount that is typed, worked out or moved is above 99,999,999.99 yuan. Rows of before stay as they
-- are (not valid): they can be read, voided and given back, and check C15 names the bills among them.

-- A new bill keeps the bound; the late fees written on it later, which never exceed what they are laid on, may double it.
-- Old bills beyond it must still be paid back and voided, so only what is added is looked at, and no check stands here.
create function refuse_beyond() returns trigger language plpgsql as $$
begin
  raise exception '金额过大' using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
end $$;

create trigger bill_line_amount_bound before insert on bill_line for each row
  when (new.amount not between -9999999999 and 9999999999)
  execute function refuse_beyond();
create trigger bill_amount_bound before insert on bill for each row
  when (new.amount > 9999999999 or new.adjusted not between -9999999999 and 9999999999)
  execute function refuse_beyond();
create trigger bill_sum_bound before update of amount, adjusted on bill for each row
  when (new.amount + new.adjusted > 19999999998 and new.amount + new.adjusted > old.amount + old.adjusted)
  execute function refuse_beyond();

-- What mirrors an entry of before is as large as that one.
create function journal_line_bound() returns trigger language plpgsql as $$
begin
  if not exists (select from journal_entry where id = new.entry_id and reverses_id is not null) then
    raise exception '金额过大' using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return new;
end $$;
create trigger journal_line_amount_bound before insert on journal_line for each row
  when (new.debit > 9999999999 or new.credit > 9999999999)
  execute function journal_line_bound();

do $$
declare c record;
begin
  for c in select * from (values
    ('flow', 'amount'), ('flow', 'fee'), ('allocation', 'amount'),
    ('refund', 'amount'), ('refund_part', 'amount'), ('refund_attempt', 'amount'),
    ('pay_order', 'amount'), ('till_order', 'amount'), ('till_refund', 'amount'),
    ('merchant_account', 'fee_cap'), ('commission', 'amount'), ('commission', 'base'), ('commission_rule', 'cap'),
    ('reservation', 'rent'), ('reservation', 'earnest'),
    ('contract', 'net_rent'), ('contract', 'deposit_amount'),
    ('contract_room', 'monthly_rent'), ('contract_room', 'deposit_amount'),
    ('sales_statement', 'refunds'), ('sales_statement', 'excluded'), ('sales_statement', 'declared'),
    ('sales_statement', 'base_rent'), ('sales_statement', 'charged'),
    ('room_price', 'list_price'), ('room_price', 'lowest_price'),
    ('product_price', 'list_price'), ('product_price', 'lowest_price'),
    ('asset_dic', 'price'), ('asset_dic', 'damage_price'), ('room_asset', 'price'), ('room_asset', 'damage_price'),
    ('lead', 'budget_from'), ('lead', 'budget_to')) v(tbl, col)
  loop
    execute format('alter table %I add constraint %I check (%I between -9999999999 and 9999999999) not valid',
      c.tbl, c.tbl || '_' || c.col || '_bound', c.col);
  end loop;
  -- what is held of somebody is a sum of many payments: it stays inside what a number holds exactly
  for c in select * from (values
    ('party_balance', 'balance'), ('party_balance', 'opening'), ('deposit_balance', 'held'), ('earnest_balance', 'held'))
    v(tbl, col)
  loop
    execute format('alter table %I add constraint %I check (%I <= 9007199254740991) not valid',
      c.tbl, c.tbl || '_' || c.col || '_bound', c.col);
  end loop;
end $$;

-- Sums of old amounts may be more than a bigint takes: the largest that can be shown stands for them.
create function safe_fen(fen numeric) returns bigint language sql immutable strict parallel safe as
  'select greatest(-9007199254740991, least(9007199254740991, fen))::bigint';
