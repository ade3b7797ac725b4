-- Spreadsheets of public areas are kept as those of tenants are, and taken back while nothing stands in what they made.
create table public_area_import (
  like renter_import including all,
  foreign key (enterprise_id) references enterprise,
  foreign key (village_id) references village,
  foreign key (file_id) references stored_file
);
alter table public_area add column import_id bigint references public_area_import;
create index public_area_import_of on public_area (import_id) where import_id is not null;
