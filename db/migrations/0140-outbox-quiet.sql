-- Hours of the day in which a message is not sent, also where the server was down when it was due.
alter table outbox add column quiet_from time, add column quiet_to time,
  add constraint outbox_quiet check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to);
