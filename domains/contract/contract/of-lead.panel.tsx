import { useQuery } from "@tanstack/react-query";
import { pathTo } from "../../../platform/console/page.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { contractRow, listContracts } from "./contract.contract.ts";

/** The contracts that an enquiry has become, on the lead's own page. */
export default function LeadContracts({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(listContracts, { query: { leadId: id, pageSize: 100 } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={2} />;
  return (
    <RowTable
      flat
      schema={contractRow}
      rows={data.list}
      emptyText="还没有合同，可由预订或客源转合同"
      columns={[
        { key: "contractNo", to: (c) => pathTo("/contract/RenterContractPage", { id: c.id }) },
        "partyName",
        "roomNames",
        "startDate",
        "endDate",
        "currentRent",
        "phase",
      ]}
    />
  );
}
