-- Which key the sealed values were sealed with: a start with another one would make them unreadable without a word.
create table key_note (
  one boolean primary key default true check (one),
  fingerprint text not null,
  -- the key whose values are being sealed anew, until none is left
  retiring text,
  -- what hashes are made with, sealed under the key; it outlives a change of key
  lookup bytea not null,
  noted_at timestamptz not null default now()
);
