-- Spreadsheets of what shops sold, month by month.
create table sales_import (
  like renter_import including all,
  foreign key (enterprise_id) references enterprise,
  foreign key (village_id) references village,
  foreign key (file_id) references stored_file
);
-- The spreadsheet that a statement came with: it goes when that is taken back.
alter table sales_statement add column import_id bigint references sales_import;
create index sales_statement_import on sales_statement (import_id) where import_id is not null;
