-- What a flow's reconciliation says is asked of its record and its claim: kept on the flow as well, each statement rewrote
-- as many flows in all their indices as it had lines.
alter table flow drop column reconcile_state;
