-- A target that was brought in from a budget names the indicator there that it follows.
alter table indicator_target add budget_indicator_id bigint references budget_indicator;
update indicator_target set source = 'manual' where source = 'budget';
alter table indicator_target add constraint indicator_target_follows
  check ((source = 'budget') = (budget_indicator_id is not null));
create index indicator_target_budget on indicator_target (budget_indicator_id) where budget_indicator_id is not null;
