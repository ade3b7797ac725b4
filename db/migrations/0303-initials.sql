-- Initials by which people of short life (leads, those who come to see rooms) and agents are found: 苏瑾 is sj. The first
-- character of each letter in the order of pinyin says where the letter begins; 沈 is read chen there, as a name it is shen.
create function initials_of(name text) returns text language sql immutable strict parallel safe as $$
  select coalesce(string_agg(case when ch = '沈' then 's' when ch collate "C" between '一' and '龥' then (
      select letter from (values ('a', '阿'), ('b', '八'), ('c', '嚓'), ('d', '哒'), ('e', '妸'), ('f', '发'), ('g', '旮'),
        ('h', '哈'), ('j', '讥'), ('k', '咖'), ('l', '垃'), ('m', '呣'), ('n', '拏'), ('o', '噢'), ('p', '妑'), ('q', '七'),
        ('r', '呥'), ('s', '仨'), ('t', '它'), ('w', '穵'), ('x', '夕'), ('y', '丫'), ('z', '帀')) b (letter, first)
      where b.first collate "zh-x-icu" <= ch collate "zh-x-icu" order by letter desc limit 1)
    else lower(ch) end, '' order by n), '')
  from unnest(string_to_array(name, null)) with ordinality u (ch, n)
$$;
alter table lead add column pinyin text generated always as (initials_of(name)) stored;
alter table viewing add column pinyin text generated always as (initials_of(name)) stored;
alter table agent add column pinyin text generated always as (initials_of(name)) stored;
alter table agency add column pinyin text generated always as (initials_of(name || contact)) stored;
create index lead_pinyin on lead (pinyin text_pattern_ops);
