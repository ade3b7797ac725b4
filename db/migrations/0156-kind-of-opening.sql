-- Running contracts of companies and merchants are taken over in the same way as those of tenants.
alter table contract_import add column kind text not null default 'renter'
  constraint contract_import_kind_check check (kind in ('renter', 'company', 'merchant'));
