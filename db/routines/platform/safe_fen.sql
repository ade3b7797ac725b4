-- Sums of old amounts may be more than a bigint takes: the largest that can be shown stands for them.
create or replace function safe_fen(fen numeric) returns bigint language sql immutable strict parallel safe as
  'select greatest(-9007199254740991, least(9007199254740991, fen))::bigint';
