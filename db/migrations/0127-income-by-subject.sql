-- Accrued income is kept by fee subject and with its tax too. Its rows are made anew once its routines stand.
drop view if exists income_day_now, kept_sums_proof, income_day_proof, income_day_anew;
drop function if exists income_days(bigint[], boolean, boolean);
drop function if exists income_spans(bigint[]);
drop procedure if exists keep_spread(text, text, text, text, text, text[], text[]);
delete from income_due;
delete from income_day;
alter table income_day drop constraint if exists income_day_pkey;
alter table income_day add fee_subject_id bigint not null references fee_subject, add tax bigint not null,
  add constraint income_day_key primary key (village_id, day, fee_subject_id);
