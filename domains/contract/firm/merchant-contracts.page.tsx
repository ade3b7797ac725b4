import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import {
  DEPOSIT,
  NUMBER_LINE,
  END_DAY,
  filtersOf,
  HANDLING,
  NEXT_DUE,
  SHARED,
} from "../contract-list/list.panel.tsx";
import { useContractPage } from "../contract-list/page.panel.tsx";
import { KINDS } from "../terms/kind.rules.ts";
import { RatioMap } from "../turnover/matrix.panel.tsx";
import { SalesList } from "../turnover/sales-list.panel.tsx";
import { exportMerchantContracts, listMerchantContracts } from "./firm-list.contract.ts";

const LISTS = [
  { key: "contracts", title: "合同" },
  { key: "sales", title: "营业额申报" },
  { key: "ratio", title: "租售比" },
];

/** 商户合同: shop leases (?id= opens one, ?draft= the form), and what the shops declared (?list=sales). */
export default function MerchantContractsPage() {
  const [address] = useAddress();
  const go = useGo();
  const page = useContractPage("merchant");
  if (page.drafting) return page.drafting;
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "contracts";
  // what one list keeps in the address means nothing to the other
  const choose = (list: string) => go(KINDS.merchant.path, list === "contracts" ? {} : { list });
  return (
    <TabPage label="商户合同" items={LISTS} on={on} onChange={choose}>
      {on === "sales" ? <SalesList /> : on === "ratio" ? <RatioMap /> : <Contracts page={page} />}
    </TabPage>
  );
}

function Contracts({ page }: { page: ReturnType<typeof useContractPage> }) {
  const [address] = useAddress();
  return (
    <>
      <ListPage<typeof listMerchantContracts>
        call={listMerchantContracts}
        fixed={{ kind: "merchant" }}
        {...SHARED}
        filters={filtersOf("合同号、商户、招牌、联系人、铺位", address.get("villageIds"))}
        columns={[
          "contractNo",
          "villageName",
          "phase",
          {
            key: "partyName",
            to: (c) => (c.partyId ? reach(PARTY_PAGE["merchant"]!, { id: c.partyId }) : undefined),
          },
          {
            key: "roomNames",
            title: "铺位",
            width: 140,
            show: (c) => <Rooms names={c.roomNames} beside={c.villageName} />,
          },
          "currentRent",
          { key: "overdue", strong: true },
          { key: "shopName", wide: true },
          { key: "category", wide: true },
          { key: "openOn", hidden: true },
          "area",
          "rentKind",
          "unitPrice",
          { key: "base", hidden: true },
          { key: "rates", width: 150 },
          "turnover",
          { key: "share", hidden: true },
          "rentRatio",
          "startDate",
          END_DAY,
          DEPOSIT,
          NEXT_DUE,
          { key: "payText", hidden: true },
          { key: "invoiceTitle", hidden: true },
          { key: "contactName", hidden: true },
          { key: "partyPhone", hidden: true },
          "flags",
          ...HANDLING,
        ]}
        card={{
          title: "partyName",
          right: "phase",
          lines: [["roomNames", "currentRent"], ["endDate", "overdue"], NUMBER_LINE],
        }}
        toolbar={[page.sign, page.bring]}
        rowActions={page.actsOf}
        batch={page.batch}
        sumNote={(sums) =>
          `按当前筛选的全部合同，铺位 ${Number(sums["rooms"] ?? 0).toLocaleString()} 间，${Number(sums["area"] ?? 0).toLocaleString()} ㎡`
        }
        exportCall={exportMerchantContracts}
        emptyText="这里管理商铺的租赁合同：选铺位、定条款、试算账单、签署、交铺，都从新签一份合同开始"
      />
      {page.layer}
    </>
  );
}
