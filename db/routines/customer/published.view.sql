-- What domains to the left read of customers.

-- A reservation; `keeps` says that it still keeps its room.
create or replace view reservation_brief as
  select id, number, village_id, room_id, party_id, contract_id, bill_id, state, reservation_keeps(state) keeps,
    rent, move_in_day, hold_until, earnest_kind
  from reservation;

-- Parties that were merged, each with the one that was kept.
create or replace view party_merged as
  select id, merged_into_id into_id from renter where merged_into_id is not null
  union all
  select id, merged_into_id from firm where merged_into_id is not null;

-- The lead that an enquiry of a channel became, or was added to.
create or replace view lead_of_enquiry as
  select e.enquiry_id, l.id lead_id, l.number, l.owner_id from lead_enquiry e join lead l on l.id = e.lead_id;

-- The store that registered a renter or a firm; records that were merged into another are left out.
create or replace view party_home as
  select id, home_village_id from renter where merged_into_id is null
  union all
  select id, home_village_id from firm where merged_into_id is null;
