-- A payment may be taken back in parts: several rows name the one they undo (allocation_undone keeps them within it).
alter table allocation drop constraint if exists allocation_undoes_id_key;
create index allocation_undoes on allocation (undoes_id) where undoes_id is not null;
