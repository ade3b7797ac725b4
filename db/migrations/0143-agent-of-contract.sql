-- Where the tenant of a contract came from, in the words of the day, and the agent who brought it.
alter table contract
  add channel text not null default '' check (char_length(channel) <= 30),
  add agent_id bigint references agent;
create index contract_agent on contract (agent_id) where agent_id is not null;
