-- Money that came to a company account by mistake is owed to whoever sent it, from the day that is said of its line.
alter table refund drop constraint refund_source_check;
alter table refund add constraint refund_source_check check
  (source in ('settlement', 'prepaid', 'deposit', 'earnest', 'transfer'));

-- What a channel has settled to the bank is booked (E29) on the line of the bank's statement that nobody else knows of.
alter table reconcile_item drop constraint reconcile_item_resolution_check;
alter table reconcile_item add constraint reconcile_item_resolution_check check (resolution in ('wait', 'accept', 'settle'));
alter table reconcile_item add column settled_account_id bigint references merchant_account;
alter table reconcile_item add constraint reconcile_item_settled check
  ((settled_account_id is not null) = coalesce(resolution = 'settle', false) and (settled_account_id is null or theirs > 0));
create index reconcile_item_settled_account on reconcile_item (settled_account_id) where settled_account_id is not null;
