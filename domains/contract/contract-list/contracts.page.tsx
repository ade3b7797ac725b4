import { ListPage } from "../../../platform/console/list/list.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { exportContracts, listContracts } from "../contract/contract.contract.ts";
import { useContractPage } from "./page.panel.tsx";
import { DEPOSIT, NUMBER_LINE, END_DAY, HANDLING, NEXT_DUE, SHARED, filtersOf } from "./list.panel.tsx";

/** Tenants' contracts: the list, the contract beside it (?id=), and the form over it (?draft=). */
export default function ContractsPage() {
  const [address] = useAddress();
  const page = useContractPage("renter");
  if (page.drafting) return page.drafting;
  return (
    <>
      <ListPage
        call={listContracts}
        {...SHARED}
        filters={filtersOf("合同号、租客、手机号、房间", address.get("villageIds"))}
        columns={[
          "contractNo",
          "villageName",
          "phase",
          {
            key: "roomNames",
            width: 150,
            to: (c) => (c.roomId ? reach("/configuration/apartment", { room: c.roomId }) : undefined),
            show: (c) => <Rooms names={c.roomNames} beside={c.villageName} />,
          },
          {
            key: "partyName",
            to: (c) => (c.partyId ? reach("/configuration/RenterManage", { id: c.partyId }) : undefined),
          },
          { key: "partyPhone", hidden: true },
          "startDate",
          END_DAY,
          "currentRent",
          { key: "overdue", strong: true },
          { key: "netRent", hidden: true },
          DEPOSIT,
          NEXT_DUE,
          "payText",
          "flags",
          ...HANDLING,
        ]}
        card={{
          title: (c) => c.roomNames || c.contractNo,
          right: "phase",
          lines: [["partyName", "currentRent"], ["endDate", "overdue"], NUMBER_LINE],
        }}
        toolbar={[page.sign, page.bring]}
        rowActions={page.actsOf}
        sumNote={(sums) => `按当前筛选的全部合同，房间 ${Number(sums["rooms"] ?? 0).toLocaleString()} 间`}
        batch={page.batch}
        exportCall={exportContracts}
        emptyText="这里管理租客的租赁合同：选房、定条款、试算账单、签署、入住，都从新签一份合同开始"
      />
      {page.layer}
    </>
  );
}
