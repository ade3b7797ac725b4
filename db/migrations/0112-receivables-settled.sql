-- What a deposit pays of a bill counts as settled, no longer as less billed: the rows are made anew once their routine stands.
delete from receivable_day;
