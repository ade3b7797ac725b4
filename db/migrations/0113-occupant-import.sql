-- Spreadsheets of people who move into the rooms of a company's contract.
create table occupant_import (
  like renter_import including all,
  contract_id bigint not null references contract on delete cascade,
  foreign key (enterprise_id) references enterprise,
  foreign key (village_id) references village,
  foreign key (file_id) references stored_file
);
-- The spreadsheet that a stay came with, until somebody changes that stay: it goes when the file is taken back.
alter table contract_occupant add column import_id bigint references occupant_import;
create index contract_occupant_import on contract_occupant (import_id) where import_id is not null;
