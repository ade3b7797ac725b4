-- What domains to the left read of money.

-- What is to be paid: issued, receivable, not void and not settled. Overdue on a day: `due_date` before it.
create or replace view receivable_open as
  select id, bill_no, title, village_id, contract_id, room_id, party_id, due_date, outstanding, period_start, period_end,
    disputed_from is not null and disputed_to is null disputed
  from bill where outstanding > 0 and issued_at is not null and direction = 'receivable';

-- Every bill, void ones too.
create or replace view bill_brief as
  select id, bill_no, title, village_id, contract_id, room_id, party_id, direction, outstanding, voided_at from bill;

create or replace view refund_brief as
  select id, room_id from refund;

-- The money of a contract: billed and received so far, and what falls due next.
create or replace view contract_money_brief as
  select contract_id, billed, received, next_due_on, next_due_fen from contract_money;

-- What is held for somebody: deposits and earnest money of contracts, and earnest money of reservations (no contract).
create or replace view money_held as
  select village_id, contract_id, kind, held from deposit_balance
  union all
  select village_id, null, 'earnest', held from earnest_balance;

create or replace view fee_brief as
  select id, enterprise_id, name, kind, enabled, priority from fee_subject;

-- The fee subjects that a contract or a product may charge beside rent and deposit. Costs are paid by the house itself,
-- late fees follow from dates, earnest money is taken by reservations: billed as a fee, such a line would stay in 2204
-- for ever.
create or replace view fee_choice as
  select id from fee_subject where kind in ('income', 'agency', 'deposit') and code not in ('rent', 'deposit');

create or replace view closed_month as
  select village_id, month, side from period_lock;

-- The ways in which stores take money.
create or replace view village_account_brief as
  select village_id, enabled from village_account;
