-- When a store's customers are not disturbed by reminders and advertising.
alter table village_setting
  add column quiet_from time not null default '21:00',
  add column quiet_to time not null default '08:30',
  add constraint village_setting_quiet check (quiet_from <> quiet_to);
