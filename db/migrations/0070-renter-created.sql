-- The list of renters begins with those entered last; records that were taken over keep the day they were entered first.
create index party_renter_created on party (created_at, id) where kind = 'renter';
