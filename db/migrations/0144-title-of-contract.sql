-- To whom the invoices of a contract are made out, of the titles of its customer; null: its usual one.
alter table contract add invoice_title_id bigint references invoice_title on delete set null;
create index contract_invoice_title on contract (invoice_title_id) where invoice_title_id is not null;
