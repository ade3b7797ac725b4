-- When an authorisation was taken back; null of those that were before this was kept.
alter table lessor add column auth_revoked_at timestamptz;
