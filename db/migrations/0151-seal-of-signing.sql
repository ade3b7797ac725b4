-- The seal that was set where the enterprise signs first: the one that closes the file.
alter table sign_flow add seal_id bigint references seal on delete set null;
-- A link that is locked for its last four characters and for its code.
alter table sign_signer drop constraint sign_signer_locked_for_check,
  add constraint sign_signer_locked_for_check check (locked_for in ('', 'open', 'code', 'both'));
alter table settlement_link drop constraint settlement_link_locked_for_check,
  add constraint settlement_link_locked_for_check check (locked_for in ('', 'open', 'code', 'both'));
