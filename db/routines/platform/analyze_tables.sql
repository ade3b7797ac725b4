-- Only its owner may have a table counted anew for the planner; the product asks for it by this name.
create or replace function analyze_tables(tables text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  name text;
begin
  foreach name in array tables loop
    execute format('analyze public.%I', name);
  end loop;
end $$;
