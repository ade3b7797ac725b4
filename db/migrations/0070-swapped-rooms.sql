-- Two tenants who swap their rooms: two acts that are carried out together or not at all, each naming the other.
alter table contract_act
  add column paired_id bigint references contract_act,
  add constraint contract_act_paired_check check (paired_id <> id and (paired_id is null or kind = 'changeRoom'));
create unique index contract_act_paired on contract_act (paired_id) where paired_id is not null;

-- Fen of the old deposit that the new contract does not ask for and that pays its bills instead of going back.
alter table change_money add column deposit_used bigint not null default 0
  constraint change_money_deposit_used_bound check (deposit_used between 0 and 999999999999);

-- Fen that are due on signing, less what unused rent and the old deposit pay of it.
alter table change_money add column due bigint not null default 0
  constraint change_money_due_bound check (due between -999999999999 and 999999999999);
update change_money set due = at_signing - credit_used;
