import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { DistrictDrawer } from "./district.panel.tsx";
import { VillageDrawer, VillageFace, useVillageActs } from "./village.panel.tsx";
import { exportVillages, villages, addVillage } from "./village.contract.ts";
import { VillageForm } from "./village.form.tsx";
import "../room/places.css";

/** Stores: the list, one beside it (?id=), and the form of a new one (?action=1). */
export default function VillagesPage() {
  const [arranging, setArranging] = useState(false);
  const [actsOf, layer] = useVillageActs();
  return (
    <>
      <ListPage
        call={villages}
        unit="个"
        filters={["districtId", "mode", "state", "keyword", "managerId"]}
        columns={[
          { key: "name", width: 140 },
          "code",
          { key: "mode", hidden: true },
          "districtName",
          { key: "address", width: 200 },
          "managerName",
          { key: "phone", hidden: true },
          "buildings",
          {
            key: "rooms",
            to: (v) => pathTo("/configuration/ApartmentManage", { villageIds: v.id, view: "room" }),
          },
          "letRate",
          "account",
          { key: "openingDay", hidden: true },
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [["address", "letRate"], [(v) => `${v.managerName}，${v.rooms.toLocaleString("en-US")} 间`]],
        }}
        adds={{ does: addVillage, form: (close) => <VillageForm onClose={close} /> }}
        toolbar={[{ label: "区域管理", need: "6.edit", run: () => setArranging(true) }]}
        face={(v) => <VillageFace village={v} />}
        rowActions={actsOf}
        drawer={(id) => <VillageDrawer id={id} />}
        exportCall={exportVillages}
        emptyText="门店是房源、合同和账单的归属；新增门店后添加楼栋、配置收款账户，即可开业"
      />
      {arranging && <DistrictDrawer onClose={() => setArranging(false)} />}
      {layer}
    </>
  );
}
