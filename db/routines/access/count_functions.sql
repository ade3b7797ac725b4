create or replace function count_functions() returns trigger language plpgsql as $$
begin
  update function_generation set generation = generation + 1;
  return null;
end $$;

create or replace trigger function_node_counted after insert or update or delete on function_node
  for each statement execute function count_functions();
