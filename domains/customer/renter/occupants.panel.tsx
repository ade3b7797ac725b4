import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { renterSummary } from "./renter.contract.ts";

/** Who lives with the renter; changed on the contract. */
export function Occupants({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(renterSummary, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={renterSummary.reply.shape.occupants}
      rows={data.occupants}
      columns={["name", "phone", "certNo", "relation", "roomName", "fromDate", "toDate", "lockAccess"]}
      emptyText="没有同住人，可在合同的“房间与入住人”中登记"
    />
  );
}
