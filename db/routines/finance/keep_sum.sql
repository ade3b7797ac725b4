-- Ledger sums: tables of sums over what was booked. One declaration each (kept_sums.view.sql) makes
--   <name>_added   what is booked adds rows at once, so that a sum is never behind (or `due`, see keep_spread)
--   <name>_fold    brings loose rows into one a key; answers how many
--   <name>_anew    a view: the same sums out of the records
--   <name>_renew   makes the table anew from it
--   <name>_proof   a view: by store and day what each figure should be and what it is, for the nightly check
create or replace procedure prove_sum(name text, kept text, anew text, day text, figures text[], titles text[])
language plpgsql as $$
declare
  sums text := (select string_agg(format('sum(%1$I)::bigint %1$I', f), ', ') from unnest(figures) f);
  pairs text := (select string_agg(format('(%L, k.%2$I, a.%2$I)', t, f), ', ') from unnest(figures, titles) x (f, t));
begin
  execute format('create or replace view %1$I as
    select coalesce(k.village_id, a.village_id) village_id, f.title || '' '' || coalesce(k.%2$I, a.%2$I)::text key,
      coalesce(f.anew, 0) expected, coalesce(f.kept, 0) actual
    from (select village_id, %2$I, %3$s from %4$s s group by 1, 2) k
    full join (select village_id, %2$I, %3$s from %5$s s group by 1, 2) a on a.village_id = k.village_id and a.%2$I = k.%2$I
    cross join lateral (values %6$s) f (title, kept, anew)', name || '_proof', day, sums, kept, anew, pairs);
end $$;

-- A sum of journal lines. `brings`: a selection from {lines} l with the keys and the figures; the table has both, and
-- `folded`. Where it `moves`, a bill that falls due on another day takes what is booked on it along.
create or replace procedure keep_sum(name text, brings text, keys text[], figures text[], titles text[], fold_by text[], moves boolean)
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
  execute format('create or replace function %I() returns void language sql as $f$
    delete from %I; insert into %2$I select *, true from %I $f$', name || '_renew', name, name || '_anew');
  call prove_sum(name, format('%I', name), format('%I', name || '_anew'), fold_by[2], figures, titles);
end $$;

-- A sum of what is spread over many days, which would keep the act waiting: triggers lay down in the table `due` what came
-- (`gone` false) and what went (`gone` true), by its `item`, and the fold spreads it. `spread`: a function of items and `gone`
-- that answers keys and figures, or months by their first day (`by_month`), which is what the proof compares.
-- `whole`: a selection of everything that ever came and went, `id` and `gone`. The table has one row a key, and the view
-- <name>_now what waits as well.
create or replace procedure keep_spread(name text, due text, item text, spread text, whole text, keys text[], figures text[], titles text[])
language plpgsql as $$
declare
  key_list text := array_to_string(keys, ', ');
  columns text := array_to_string(keys || figures, ', ');
  sums text := (select string_agg(format('sum(%1$I)::bigint %1$I', f), ', ') from unnest(figures) f);
  added text := (select string_agg(format('%1$I = s.%1$I + excluded.%1$I', f), ', ') from unnest(figures) f);
  spread_out text := format('(select x.* from (select gone, array_agg(id) ids from (%%s) d group by 1) g,
    lateral %I(g.ids, g.gone, %%s) x)', spread);
  waiting text := format('select %I id, gone from %I', item, due);
begin
  execute format('create or replace function %I(most int) returns bigint language sql as $f$
    with due as (delete from %I where id in (select id from %2$I order by id limit most) returning %I id, gone),
    kept as (insert into %I as s (%s) select %s, %s from %s b group by %s order by %s
      on conflict (%s) do update set %s)
    select count(*) from due $f$',
    name || '_fold', due, item, name, columns, key_list, sums, format(spread_out, 'select * from due', 'false'), key_list, key_list,
    key_list, added);
  execute format('create or replace view %I as select %s, %s from %s b group by %s',
    name || '_anew', key_list, sums, format(spread_out, whole, 'false'), key_list);
  execute format('create or replace view %I as select %s from %I union all select %s from %s w',
    name || '_now', columns, name, columns, format(spread_out, waiting, 'false'));
  execute format('create or replace function %I() returns void language sql as $f$
    delete from %I; delete from %I; insert into %3$I (%s) select %4$s from %I $f$', name || '_renew', due, name, columns, name || '_anew');
  call prove_sum(name, format('(select village_id, month_of(day) as day, %1$s from %2$I union all select village_id, day, %1$s from %3$s w)',
    array_to_string(figures, ', '), name, format(spread_out, waiting, 'true')), format(spread_out, whole, 'true'), 'day', figures, titles);
end $$;

-- All of them together: `fold_sums`, one at a time; `sum_anew`; and `kept_sums_proof`.
create or replace procedure keep_sums(names text[]) language plpgsql as $$
begin
  execute format('create or replace function fold_sums(most int) returns int language plpgsql as $f$ begin
    perform pg_advisory_xact_lock(hashtextextended(''foldSums'', 0));
    return %s; end $f$', (select string_agg(format('%I(most)', n || '_fold'), ' + ') from unnest(names) n));
  execute format('create or replace function sum_anew() returns void language sql as $f$
    select pg_advisory_xact_lock(hashtextextended(''foldSums'', 0)); select %s $f$',
    (select string_agg(format('%I()', n || '_renew'), ', ') from unnest(names) n));
  execute format('create or replace view kept_sums_proof as %s',
    (select string_agg(format('select * from %I', n || '_proof'), ' union all ') from unnest(names) n));
end $$;
