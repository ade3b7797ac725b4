import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { exportOccupants, listOccupants } from "./roster.contract.ts";

/** 入住人: who lives in the rooms of companies; coming, moving and leaving stand with the company. */
export const Roster = () => (
  <ListPage
    call={listOccupants}
    unit="人"
    filters={["villageIds", "state", "keyword", "fromFrom"]}
    columns={[
      { key: "name", to: (o) => reach(PARTY_PAGE["company"]!, { id: o.partyId, part: "rooms" }) },
      { key: "state", width: 88 },
      "phone",
      { key: "certNo", width: 170 },
      { key: "gender", hidden: true },
      { key: "relation", width: 104 },
      { key: "roomName", width: 170 },
      { key: "partyName", width: 170, to: (o) => reach(PARTY_PAGE["company"]!, { id: o.partyId }) },
      { key: "contractNo", to: (o) => pathTo(KINDS.company.path, { id: o.contractId }) },
      "villageName",
      "fromDate",
      "toDate",
      { key: "lockAccess", hidden: true },
      { key: "leaveReason", hidden: true },
    ]}
    card={{
      title: "name",
      right: "state",
      lines: [["roomName", "phone"], ["partyName"], ["fromDate", "toDate"]],
    }}
    exportCall={exportOccupants}
    emptyText="企业合同的入住人在企业客户的“房间与入住人”中登记，一次可以登记或粘贴多位"
  />
);
