-- A channel looks at each change of a room once: at those of transactions that were under way, or had not begun, when it looked
-- last. Before, what had changed in the last five minutes was looked at again with every change.
alter table room_change add xact_id xid8 not null default pg_current_xact_id();
create index room_change_xact on room_change (xact_id);
alter table channel drop column seen_seq, add seen_xact xid8 not null default '0';
