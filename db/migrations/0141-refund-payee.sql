-- Who is to get the money of an approved refund instead, until that is approved.
create table refund_payee (
  refund_id bigint primary key references refund,
  route text not null check (route in ('channel', 'bank', 'cash')),
  payee_name text not null check (length(payee_name) <= 30),
  payee_bank text not null check (length(payee_bank) <= 60),
  payee_account bytea,
  payee_tail text not null check (length(payee_tail) <= 4),
  relation text not null check (length(relation) <= 60)
);

-- Whoever pays refunds reads their papers too.
update stored_file set needs = '108.get 244.get' where target_kind = 'refund' and needs = '108.get';
