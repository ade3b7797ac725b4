import { ListPage } from "../../../platform/console/list/list.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { pathTo, useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Share } from "../../../platform/console/parts/share.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { BILLS, BILL_STATUS, PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import {
  DEPOSIT,
  NUMBER_LINE,
  END_DAY,
  filtersOf,
  HANDLING,
  NEXT_DUE,
  SHARED,
} from "../contract-list/list.panel.tsx";
import { KINDS } from "../terms/kind.rules.ts";
import { useContractPage } from "../contract-list/page.panel.tsx";
import { Roster } from "../occupant/roster.panel.tsx";
import { companyContractRooms, exportCompanyContracts, listCompanyContracts } from "./firm-list.contract.ts";

const PAGE = KINDS.company.path;

/** The rooms of a contract, below its row. */
const ContractRooms = ({ id }: { id: number }) => (
  <Loaded call={companyContractRooms} sent={{ params: { id } }} lines={2} empty="还没有选房间">
    {(rooms) => (
      <RowTable
        flat
        schema={companyContractRooms.reply}
        rows={rooms}
        columns={[
          { key: "name", to: (r) => reach("/configuration/apartment", { room: r.roomId }) },
          "monthlyRent",
          { own: "span", title: "起止", show: (r) => `${r.from} ~ ${r.to ?? "—"}` },
          {
            key: "living",
            title: "入住",
            show: (r) => <Share used={r.living} of={r.capacity} text={`${r.living} / ${r.capacity}`} />,
          },
          { key: "people", show: (r) => r.people || NONE },
        ]}
      />
    )}
  </Loaded>
);

const LISTS = [
  { key: "contracts", title: "合同" },
  { key: "people", title: "入住人" },
];

/** 企业合同: one contract over many rooms, its rent billed to the company (?id= opens one, ?draft= the form), and who lives there. */
export default function CompanyContractsPage() {
  const [address] = useAddress();
  const go = useGo();
  const page = useContractPage("company");
  if (page.drafting) return page.drafting;
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "contracts";
  // what one list keeps in the address means nothing to the other
  const choose = (list: string) => go(PAGE, list === "contracts" ? {} : { list });
  return (
    <TabPage label="企业合同" items={LISTS} on={on} onChange={choose}>
      {on === "people" ? <Roster /> : <Contracts page={page} />}
    </TabPage>
  );
}

function Contracts({ page }: { page: ReturnType<typeof useContractPage> }) {
  const [address] = useAddress();
  return (
    <>
      <ListPage<typeof listCompanyContracts>
        call={listCompanyContracts}
        fixed={{ kind: "company" }}
        {...SHARED}
        filters={[
          ...filtersOf("合同号、企业、信用代码、联系人、房间", address.get("villageIds")),
          "billPerRoom",
          "roomsFrom",
        ]}
        columns={[
          "contractNo",
          {
            key: "partyName",
            width: 170,
            to: (c) => (c.partyId ? reach(PARTY_PAGE["company"]!, { id: c.partyId }) : undefined),
          },
          { key: "contactName", wide: true },
          "villageName",
          "phase",
          { key: "rooms", to: (c) => pathTo(PAGE, { id: c.id, part: "people" }) },
          {
            key: "occupancy",
            width: 130,
            show: (c) =>
              c.capacity ? (
                <Share used={c.occupants} of={c.capacity} text={`${c.occupants} / ${c.capacity}`} />
              ) : (
                NONE
              ),
          },
          "currentRent",
          { key: "overdue", strong: true },
          { key: "startDate", wide: true },
          END_DAY,
          DEPOSIT,
          {
            key: "currentBill",
            to: (c) => (c.currentBillId ? reach(BILLS, { id: c.currentBillId }) : undefined),
            show: (c) =>
              c.currentBillStatus ? (
                <span>
                  <Money fen={c.currentBill} /> <WordTag words={BILL_STATUS} code={c.currentBillStatus} />
                </span>
              ) : (
                NONE
              ),
          },
          { key: "billing", hidden: true },
          { key: "invoiceTitle", hidden: true },
          { key: "roomNames", hidden: true, width: 180 },
          { key: "partyPhone", hidden: true },
          { key: "netRent", hidden: true },
          NEXT_DUE,
          { key: "payText", hidden: true },
          "flags",
          ...HANDLING,
        ]}
        card={{
          title: "partyName",
          right: "phase",
          lines: [["rooms", "currentRent"], ["endDate", "overdue"], NUMBER_LINE],
        }}
        toolbar={[page.sign, page.bring]}
        rowActions={page.actsOf}
        expand={(c) => <ContractRooms id={c.id} />}
        batch={page.batch}
        sumNote={(sums) =>
          `按当前筛选的全部合同，房间 ${Number(sums["rooms"] ?? 0).toLocaleString()} 间，入住 ${Number(sums["occupants"] ?? 0).toLocaleString()} 人`
        }
        exportCall={exportCompanyContracts}
        emptyText="这里管理企业租多间房的合同：一份合同多间房，租金统一向企业收取"
      />
      {page.layer}
    </>
  );
}
