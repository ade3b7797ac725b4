-- A store may renew only with tenants who owe nothing that is overdue.
alter table contract_config add column renew_needs_paid boolean not null default false;
