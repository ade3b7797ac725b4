-- The newest events first without sorting all of them.
create index listing_event_newest on listing_event (at desc, id desc);
