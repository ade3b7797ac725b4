-- The enterprise of a flow is that of its store.
create or replace function flow_enterprise() returns trigger language plpgsql as $$
begin
  new.enterprise_id := (select enterprise_id from village where id = new.village_id);
  return new;
end $$;

create or replace trigger flow_enterprise before insert or update of village_id on flow
  for each row execute function flow_enterprise();
