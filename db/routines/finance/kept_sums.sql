-- Folds the rows of some keys into one each. One at a time; answers how many keys.
create or replace function fold_sums(most int) returns int language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('foldSums', 0));
  return taking_day_fold(most) + receivable_day_fold(most) + arrears_day_fold(most);
end $$;

create or replace function sum_anew() returns void language sql as $$
  delete from taking_day;
  insert into taking_day select *, true from taking_day_anew;
  delete from receivable_day;
  insert into receivable_day select *, true from receivable_day_anew;
  delete from arrears_day;
  insert into arrears_day select *, true from arrears_day_anew;
$$;
