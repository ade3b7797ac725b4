-- What domains to the left read of contracts.

-- A contract: who rents, which rooms, for how long. `in_force`: its tenant has the rooms; `in_force_or_signing`: or they
-- are kept for who signs; `is_over`: its tenant had them.
create or replace view contract_brief as
  select id, enterprise_id, village_id, contract_no, kind, source, state,
    in_force(state) in_force,
    (in_force(state) or state in ('approving', 'signing')) in_force_or_signing,
    is_over(state) is_over,
    party_id, party_name, room_names, manager_operator_id, previous_id, next_id, start_date, end_date, leave_date,
    handover_on, signed_on, monthly_rent, current_rent, terms -> 'turnover' ->> 'rentKind' rent_kind,
    pay_text, created_at, agent_id, invoice_title_id
  from contract;

-- The rooms of a contract; `leave_date` where one was given back before the others.
create or replace view contract_room_brief as
  select contract_id, room_id, seq, role, monthly_rent, list_price, leave_date from contract_room;

-- Rooms whose tenant stays past the end and has not given notice: they are offered, reserved and handed in for nobody else.
create or replace view room_held_over as
  select o.room_id, c.id contract_id, c.village_id, c.contract_no, c.start_date, c.end_date
  from contract c join occupancy_row o on o.contract_id = c.id
  where c.state = 'expired' and upper(o.period) > c.end_date
    and not exists (
      select 1 from room_leaving l where l.room_id = o.room_id and l.contract_id = c.id and not l.withdrawn);

-- Who lives in the rooms of a contract.
create or replace view contract_occupant_brief as
  select id, contract_id, room_id, renter_id, name, phone, cert_no_masked, relation, lock_access, from_date, to_date
  from contract_occupant;

-- The settings of an enterprise, and of stores that differ, with the changes to come.
create or replace view contract_defaults as
  select enterprise_id, village_id, default_terms, coming from contract_config;

-- The late-fee terms that a contract has agreed, which its bills take.
create or replace view contract_late_terms as
  select id contract_id, (terms ->> 'graceDays')::int grace_days, terms ->> 'lateFeeDailyRate' late_fee_daily_rate,
    (terms ->> 'lateFeeCapPercent')::int late_fee_cap_percent
  from contract where terms ? 'graceDays';

-- What merchants reported as turnover, month by month.
create or replace view merchant_turnover as
  select contract_id, village_id, from_date, state, net from sales_statement;

-- Contracts whose leaving is being settled: what their bills come to is about to change.
create or replace view contract_settling as
  select contract_id from contract_act
  where kind = 'settle' and state in ('inspecting', 'settling', 'approving', 'confirming');
