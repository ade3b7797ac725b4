-- A check of the ledger that somebody asks for is done by a job, which tells how far it is; one at a time for an enterprise.
alter table ledger_check
  add state text not null default 'done' check (state in ('running', 'done', 'failed')),
  add progress smallint not null default 0 check (progress between 0 and 100);
create unique index ledger_check_one on ledger_check (enterprise_id) where state = 'running';
