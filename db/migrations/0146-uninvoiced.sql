-- What is still to be invoiced leaves out void bills, deposits and what is paid out: the sums are made anew with the routines.
delete from bill_due;
delete from bill_due_span;
