import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { TenancyLine } from "../chain/chain.panel.tsx";
import { contractRow, listContracts } from "../contract/contract.contract.ts";

/** The contracts of a tenant and what was done to them, on the tenant's own page. */
export default function RenterContracts({ id }: { id: number }) {
  return (
    <>
      <Contracts id={id} />
      <h3>租约时间线</h3>
      <TenancyLine partyId={id} />
    </>
  );
}

function Contracts({ id }: { id: number }) {
  return (
    <Loaded call={listContracts} sent={{ query: { partyId: id, pageSize: 100 } }} lines={3}>
      {({ list }) => (
        <RowTable
          schema={contractRow}
          rows={list}
          emptyText="还没有合同"
          columns={[
            { key: "contractNo", to: (c) => reach("/contract/RenterContractPage", { id: c.id }) },
            "roomNames",
            "startDate",
            "endDate",
            "currentRent",
            "depositHeld",
            { key: "overdue", strong: true },
            "phase",
          ]}
        />
      )}
    </Loaded>
  );
}
