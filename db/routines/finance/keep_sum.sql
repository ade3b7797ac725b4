-- A ledger sum: a table of sums over what journal lines bring. `brings` says what: a selection from {lines} l with the
-- keys and the figures. The table has the keys, the figures and `folded`. From this are made
--   <name>_added   a statement trigger: new lines add rows at once, so that a sum is never behind
--   <name>_leaving, <name>_arriving   a bill that falls due on another day takes what is booked on it along
--   <name>_fold    brings the rows of some keys (`fold_by`) into one each; answers how many keys
--   <name>_anew    a view: the same sums out of the journal, to make them anew and to compare them every night
create or replace procedure keep_sum(name text, brings text, keys text[], figures text[], fold_by text[], moves boolean)
language plpgsql as $$
declare
  key_list text := array_to_string(keys, ', ');
  columns text := array_to_string(keys || figures, ', ');
  sums text := (select string_agg(format('sum(%1$I)::bigint %1$I', f), ', ') from unnest(figures) f);
  taken text := (select string_agg(format('-sum(%I)', f), ', ') from unnest(figures) f);
  nonzero text := (select string_agg(format('sum(%I) <> 0', f), ' or ') from unnest(figures) f);
  match text := (select string_agg(format('t.%1$I = k.%1$I', c), ' and ') from unnest(fold_by) c);
  add text := format('insert into %I (%s) select %s, %%s from (%%s) b group by %s having %s;',
    name, columns, key_list, key_list, nonzero);
  of_bill text := replace(brings, '{lines}', '(select * from journal_line where bill_id = old.id)');
begin
  execute format('create or replace function %I() returns trigger language plpgsql as $f$ begin %s return null; end $f$',
    name || '_added', format(add, sums, replace(brings, '{lines}', 'added')));
  execute format('create or replace trigger %1$I after insert on journal_line
    referencing new table as added for each statement execute function %1$I()', name || '_added');
  if moves then
    execute format('create or replace function %I() returns trigger language plpgsql as $f$ begin %s return new; end $f$',
      name || '_leaving', format(add, taken, of_bill));
    execute format('create or replace trigger %1$I before update of due_date on bill for each row
      when (old.due_date <> new.due_date and old.issued_at is not null) execute function %1$I()', name || '_leaving');
    execute format('create or replace function %I() returns trigger language plpgsql as $f$ begin %s return null; end $f$',
      name || '_arriving', format(add, sums, of_bill));
    execute format('create or replace trigger %1$I after update of due_date on bill for each row
      when (old.due_date <> new.due_date and old.issued_at is not null) execute function %1$I()', name || '_arriving');
  end if;
  execute format('create or replace function %I(most int) returns bigint language sql as $f$
    with loose as (select distinct %s from %I where not folded limit most),
    gone as (delete from %I t using loose k where %s returning t.*),
    kept as (insert into %I (%s, folded) select %s, %s, true from gone group by %s having %s)
    select count(*) from loose $f$',
    name || '_fold', array_to_string(fold_by, ', '), name, name, match, name, columns, key_list, sums, key_list, nonzero);
  execute format('create or replace view %I as select %s, %s from (%s) b group by %s having %s',
    name || '_anew', key_list, sums, replace(brings, '{lines}', 'journal_line'), key_list, nonzero);
end $$;
