-- Whether a contract that was handed in for approval is to be signed by links that go out once it is approved.
alter table contract add sends_links boolean not null default false;
