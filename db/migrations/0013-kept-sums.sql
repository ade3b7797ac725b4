-- Triggers of the sums before keep_sum made them: left in place they would count twice.
drop trigger if exists journal_line_sums on journal_line;
drop trigger if exists bill_due_moved on bill;
drop function if exists journal_line_sums();
drop function if exists bill_due_moved();
