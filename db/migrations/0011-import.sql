-- The villages that a batch touches: who sees all of them sees it.
alter table room_import add column village_ids bigint[] not null default '{}';
alter table room_import add column done_at timestamptz;

-- A batch is taken back room by room; each look for what still refers to one must be quick.
create index occupancy_row_let_room on occupancy_row (let_room_id);
