-- The newest lines of the business log over many stores are read from the end, not sorted out of all there are.
create index business_log_at on business_log (at desc, id desc);
