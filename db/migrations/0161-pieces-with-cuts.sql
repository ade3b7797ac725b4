-- Periods are cut into pieces at given days too; both are made anew with the routines.
drop function if exists bills_due(date, date);
drop function if exists pieces_of(date, date);
