-- How long an act has stood at its step begins anew with every change of its state.
create or replace function act_step_since() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or old.state <> new.state then
    new.state_since := new.updated_at;
  end if;
  return new;
end $$;

create or replace trigger act_step_since before insert or update of state on contract_act
  for each row execute function act_step_since();
