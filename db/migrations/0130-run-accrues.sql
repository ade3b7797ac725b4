-- A run may first bring the income of each store up to the month and declare its tax.
alter table posting_run add accrue boolean not null default false;
