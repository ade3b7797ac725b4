-- The permits of which one let the act be proposed: whoever hands it in again has to have one of them still. None: it was not kept.
alter table examine add needs text[] not null default '{}';
