-- For a tenant under age the guardian signs, who names the last four characters of the tenant's certificate.
alter table sign_signer drop constraint if exists sign_signer_last4_of_check, add constraint sign_signer_last4_of_check
  check (last4_of in ('', 'certificate', 'creditCode', 'ward'));
alter table settlement_link drop constraint if exists settlement_link_last4_of_check,
  add constraint settlement_link_last4_of_check check (last4_of in ('certificate', 'creditCode', 'ward'));
alter table renewal_offer drop constraint if exists renewal_offer_last4_of_check,
  add constraint renewal_offer_last4_of_check check (last4_of in ('certificate', 'creditCode', 'ward'));
alter table self_link drop constraint if exists self_link_last4_of_check,
  add constraint self_link_last4_of_check check (last4_of in ('certificate', 'creditCode', 'ward'));
