-- An applicant who is refused is gone, and what they were told goes with them.
alter table message_receipt drop constraint message_receipt_operator_id_fkey,
  add constraint message_receipt_operator_id_fkey foreign key (operator_id) references operator on delete cascade;
