-- The search over everything finds rooms by any part of their initials, and by the beginning of their own number.
create index room_pinyin on room using gin (pinyin gin_trgm_ops);
create index room_pinyin_begins on room (pinyin text_pattern_ops);
create index room_number_begins on room (name text_pattern_ops);
