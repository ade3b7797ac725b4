-- What a contract that comes after another comes to, as it was handed in and as it was carried out.
create table change_money (
  act_id bigint primary key references contract_act on delete cascade,
  -- fen a month: before on the last day of the old contract, after on the first day of the new one
  rent_before bigint not null,
  rent_after bigint not null default 0,
  -- fen: due on signing before anything unused pays for it, and what of it are fees of the change
  at_signing bigint not null default 0,
  fee bigint not null default 0,
  -- fen: the part of the new deposit that is billed, and the part of the old one that goes back
  deposit_due bigint not null default 0,
  deposit_back bigint not null default 0,
  -- fen: unused rent that pays the first bills, and that goes back
  credit_used bigint not null default 0,
  credit_back bigint not null default 0,
  -- the bills as they were agreed to: {"cut": [...], "added": [...]}
  shown jsonb not null default '{"cut": [], "added": []}',
  constraint change_money_rent_before_bound check (rent_before between 0 and 99999999999),
  constraint change_money_rent_after_bound check (rent_after between 0 and 99999999999),
  constraint change_money_at_signing_bound check (at_signing between -999999999999 and 999999999999),
  constraint change_money_fee_bound check (fee between 0 and 999999999999),
  constraint change_money_deposit_due_bound check (deposit_due between 0 and 999999999999),
  constraint change_money_deposit_back_bound check (deposit_back between 0 and 999999999999),
  constraint change_money_credit_used_bound check (credit_used between 0 and 999999999999),
  constraint change_money_credit_back_bound check (credit_back between 0 and 999999999999)
);
