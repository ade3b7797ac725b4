-- How often which path led nowhere on a day, and nobody's name: dead links in messages, menus and bookmarks show here.
create table lost_page (
  day date not null,
  path text not null check (char_length(path) between 1 and 100),
  -- whether the product has such a page, which was then not permitted or not there yet
  known boolean not null,
  times integer not null default 1 check (times > 0),
  last_at timestamptz not null default now(),
  primary key (day, path)
);
