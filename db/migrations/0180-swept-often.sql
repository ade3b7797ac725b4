-- Lists and reports read these by their indexes alone. A row that changed is looked up in the table as well until the table is
-- swept, which would otherwise wait for a fifth of it to change.
alter table bill set (autovacuum_vacuum_scale_factor = 0.02);
alter table bill_due set (autovacuum_vacuum_scale_factor = 0.02);
alter table bill_due_span set (autovacuum_vacuum_scale_factor = 0.02);
alter table journal_day set (autovacuum_vacuum_scale_factor = 0.02);
alter table journal_span set (autovacuum_vacuum_scale_factor = 0.02);
