-- What becomes of a contract that takes a company beyond its credit limit: refused, or signed by who may set the limit,
-- with a reason that stays on record.
alter table contract_config add column credit_rule text not null default 'refuse'
  constraint contract_config_credit_rule_check check (credit_rule in ('refuse', 'reason'));
alter table contract add column credit_reason text
  constraint contract_credit_reason_check check (credit_reason is null or kind = 'company');
