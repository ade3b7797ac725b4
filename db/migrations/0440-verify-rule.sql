-- What becomes of a contract whose renter's certificate has not been checked: whoever signs is asked, or it is refused.
alter table contract_config add column verify_rule text not null default 'warn'
  constraint contract_config_verify_rule_check check (verify_rule in ('warn', 'refuse'));
