create or replace function begin_dictionary(enterprise bigint) returns void language sql as $$
  insert into dic_item (enterprise_id, kind, group_key, sort, code, name, built_in, icon)
  select enterprise, kind, group_key, sort, code, name, built_in, icon from dic_default
  on conflict do nothing;
$$;

create or replace function dictionary_of_new_enterprise() returns trigger language plpgsql as $$
begin
  perform begin_dictionary(new.id);
  return null;
end $$;

create or replace trigger enterprise_dictionary after insert on enterprise
  for each row execute function dictionary_of_new_enterprise();
