-- The lessor as the paper names it: of the seal of the store on the day the contract was handed in (id, name, credit code, address);
-- null where the store had none.
alter table contract add lessor_snapshot jsonb;
