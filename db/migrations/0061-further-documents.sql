-- Files of a contract that come after it was handed in.
alter table contract_document drop constraint contract_document_kind_check;
alter table contract_document
  add constraint contract_document_kind_check check (kind in ('draft', 'signed', 'further'));
-- a file comes in as a further one once
create unique index contract_document_further on contract_document (file_id) where kind = 'further';
