-- A sign-in at the issuer ends in the browser that began it. Those under way last ten minutes and are begun again.
delete from sso_attempt;
-- sha-256 of a cookie that only that browser has
alter table sso_attempt add column browser_hash bytea not null;
