-- Which lead an enquiry of a listing channel became, or was added to.
create table lead_enquiry (
  enquiry_id bigint primary key references channel_enquiry,
  lead_id bigint not null references lead on delete cascade
);
create index lead_enquiry_lead on lead_enquiry (lead_id);
