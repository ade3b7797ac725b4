-- Days that a store was closed before it opened again: boards and figures of days past read as they were.
alter table village add closed_days datemultirange not null default '{}';
