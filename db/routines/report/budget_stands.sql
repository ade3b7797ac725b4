-- What was handed in is changed by a version of its own, never rewritten.
create or replace function budget_cells_stand() returns trigger language plpgsql as $$
declare
  of bigint := case when tg_op = 'DELETE' then old.version_id else new.version_id end;
begin
  if exists (select from budget_version where id = of and state <> 'draft') then
    raise exception 'the cells of a budget that was handed in stand' using errcode = '23514', constraint = 'budget_cells_stand';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create or replace trigger budget_cells_stand before insert or update or delete on budget_cell
  for each row execute function budget_cells_stand();

create or replace function budget_version_stands() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state = 'draft' then return old; end if;
  elsif (new.village_id, new.year, new.no) is not distinct from (old.village_id, old.year, old.no)
    and (new.state = old.state or (old.state, new.state) in
      (('draft', 'approving'), ('draft', 'inForce'), ('approving', 'draft'), ('approving', 'inForce'), ('inForce', 'superseded'))) then
    return new;
  end if;
  raise exception 'a budget that was handed in stands' using errcode = '23514', constraint = 'budget_version_stands';
end $$;

create or replace trigger budget_version_stands before update or delete on budget_version
  for each row execute function budget_version_stands();
