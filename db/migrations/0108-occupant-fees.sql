-- Months of a company's contract for which the fees that its occupants pay were billed to them.
create table occupant_fee_month (
  contract_id bigint not null references contract on delete cascade,
  month_from date not null,
  month_to date not null,
  bills int not null check (bills >= 0),
  amount bigint not null constraint occupant_fee_month_bound check (amount between 0 and 9007199254740991),
  created_at timestamptz not null default now(),
  primary key (contract_id, month_from),
  check (month_to >= month_from)
);
-- Contracts with such fees, which the job looks after.
create index contract_occupant_fees on contract (id) where terms @> '{"fees": [{"payer": "occupant"}]}';
