-- Accrued income is a ledger sum like the others: what made it apart is gone, and keep_sum takes the titles of its figures.
drop function if exists income_due_anew();
drop procedure if exists keep_sum(text, text, text[], text[], text[], boolean);
drop function if exists income_days(bigint[], boolean);
