import { pathTo } from "../../../platform/console/screens/page.ts";
import { ListTable } from "../../../platform/console/list/list-table.tsx";
import { PAGE } from "../agent/agent.rules.ts";
import { listCommissions } from "../commission/commission.contract.ts";

/** The latest commissions of an agent or an agency. */
export function EarnedBy(of: { agentId: number } | { agencyId: number }) {
  return (
    <ListTable
      flat
      call={listCommissions}
      query={{ ...of, pageSize: 50 }}
      columns={[
        { key: "number", to: (c) => pathTo(PAGE, { tab: "settle", id: c.id }) },
        "kind",
        "contractNo",
        "signedOn",
        "amount",
        "state",
      ]}
      emptyText="还没有产生佣金"
    />
  );
}
