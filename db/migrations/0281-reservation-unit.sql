-- What the agreed rent counts: a month, a day, or a square metre and day, as the room's price has it.
alter table reservation add column unit text not null default 'month' check (unit in ('month', 'day', 'sqmDay'));
