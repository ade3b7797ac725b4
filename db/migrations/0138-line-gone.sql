-- A file is taken back also where one of its lines was registered as a refund that came to nothing: the try forgets the line.
alter table refund_attempt drop constraint refund_attempt_told_line_id_fkey,
  add constraint refund_attempt_told_line_id_fkey foreign key (told_line_id) references statement_line on delete set null;
