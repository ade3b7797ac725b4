-- Spreadsheets of agents are kept as those of tenants are, and taken back while nobody came through them.
create table agent_import (like renter_import including all);
alter table agent_import
  add foreign key (enterprise_id) references enterprise,
  add foreign key (village_id) references village,
  add foreign key (file_id) references stored_file;
alter table agent add column import_id bigint references agent_import;
create index agent_import_of on agent (import_id) where import_id is not null;
