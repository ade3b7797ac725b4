import { useState } from "react";
import { useWordChoice } from "../../../platform/console/inputs/dic.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { codesOf } from "../qrcode/codes.panel.tsx";
import { BUILDINGS } from "../building/building.contract.ts";
import { AreaDrawer, AreaFace, useAreaActs } from "./area.panel.tsx";
import { exportAreas, publicAreas, addArea } from "../public-area/area.contract.ts";
import { AreaForm } from "../public-area/area.form.tsx";

/** Shared spaces of the stores: the list, one beside it (?id=), and the form of a new one. */
export default function AreasPage() {
  const [address] = useAddress();
  const [adding, setAdding] = useState(false);
  const [actsOf, layer] = useAreaActs();
  const kinds = useWordChoice("house", "areaKind");
  const villageIds = address.get("villageIds") ?? undefined;
  return (
    <>
      <ListPage
        call={publicAreas}
        unit="处"
        filters={[
          "villageIds",
          { key: "kind", words: kinds },
          "state",
          "keyword",
          {
            key: "buildingId",
            source: { ...BUILDINGS, ...(villageIds && { query: { ...BUILDINGS.query, villageIds } }) },
          },
        ]}
        columns={[
          { key: "name", width: 180 },
          "villageName",
          "place",
          "kindName",
          "area",
          "capacity",
          { key: "openHours", hidden: true },
          "assets",
          "managerName",
          "state",
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [[(a) => `${a.villageName}，${a.place}`, "area"], ["kindName"]],
        }}
        toolbar={[
          { label: "新增公共区域", icon: "plus", main: true, does: addArea, run: () => setAdding(true) },
        ]}
        face={(area) => <AreaFace area={area} />}
        rowActions={actsOf}
        batch={[codesOf("area")]}
        drawer={(id) => <AreaDrawer id={id} />}
        exportCall={exportAreas}
        emptyText="大堂、走廊、洗衣房等共用的地方在这里登记，并记下每一处有哪些资产"
      />
      {adding && <AreaForm onClose={() => setAdding(false)} />}
      {layer}
    </>
  );
}
