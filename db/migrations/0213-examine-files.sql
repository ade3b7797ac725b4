-- Papers handed in with an act that waits: whoever may open the examine may open them.
alter table examine add file_ids bigint[] not null default '{}';
