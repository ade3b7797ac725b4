-- Targets of all stores are asked for together (`collection_targets`).
drop function if exists collection_target(bigint, date, date);
