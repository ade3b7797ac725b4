import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
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
import { exportMerchantContracts, listMerchantContracts } from "./firm-list.contract.ts";

/** 商户合同: shop leases (?id= opens one, ?draft= the form). */
export default function MerchantContractsPage() {
  const [address] = useAddress();
  const page = useContractPage("merchant");
  if (page.drafting) return page.drafting;
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
            to: (c) => (c.partyId ? pathTo(PARTY_PAGE["merchant"]!, { id: c.partyId }) : undefined),
          },
          {
            key: "roomNames",
            title: "铺位",
            width: 140,
            show: (c) => <Rooms names={c.roomNames} beside={c.villageName} />,
          },
          "currentRent",
          { key: "overdue", strong: true },
          "shopName",
          "category",
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
        toolbar={[page.sign]}
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
