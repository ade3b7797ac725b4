import { useQueries } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { contractRow, listContracts } from "../contract/contract.contract.ts";
import { CONTRACT_KINDS, KINDS, permitOf } from "../terms/kind.rules.ts";

/** The contracts that an enquiry has become, on the lead's own page. */
export default function LeadContracts({ id }: { id: number }) {
  const kinds = CONTRACT_KINDS.filter((kind) => may(permitOf(kind, "query")));
  const asked = useQueries({
    queries: kinds.map((kind) => ask(listContracts, { query: { kind, leadId: id, pageSize: 100 } })),
  });
  const failed = asked.find((one) => one.error);
  if (failed) return <Broken error={failed.error} retry={failed.refetch} />;
  if (asked.some((one) => !one.data)) return <RowsSkeleton rows={2} />;
  return (
    <RowTable
      flat
      schema={contractRow}
      rows={asked.flatMap((one) => one.data!.list)}
      emptyText="还没有合同，可由预订或客源转合同"
      columns={[
        { key: "contractNo", to: (c) => reach(KINDS[c.kind].path, { id: c.id }) },
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
