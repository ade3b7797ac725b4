import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { useWordChoice } from "../../../platform/console/inputs/dic.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { BUILDINGS } from "../building/building.contract.ts";
import { addArea, areaImport, exportAreas, publicAreas } from "../public-area/area.contract.ts";
import { AreaForm } from "../public-area/area.form.tsx";
import { codesOf } from "../qrcode/codes.panel.tsx";
import { AreaDrawer, AreaFace, useAreaActs } from "./area.panel.tsx";

/** Shared spaces of the stores: the list, one beside it (?id=), and the form of a new one. */
export default function AreasPage() {
  const [address] = useAddress();
  const [actsOf, layer] = useAreaActs();
  const villageIds = address.get("villageIds") ?? undefined;
  const buildings = { ...BUILDINGS, ...(villageIds && { query: { ...BUILDINGS.query, villageIds } }) };
  return (
    <>
      <ListPage
        call={publicAreas}
        unit="处"
        filters={[
          "villageIds",
          { key: "kind", words: useWordChoice("house", "areaKind") },
          "state",
          "keyword",
          { key: "buildingId", source: buildings },
        ]}
        columns={[
          { key: "name", width: 180 },
          ...(["villageName", "place", "kindName", "area", "capacity"] as const),
          { key: "openHours", hidden: true },
          ...(["assets", "managerName", "state"] as const),
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [[(a) => `${a.villageName}，${a.place}`, "area"], ["kindName"]],
        }}
        adds={{ does: addArea, form: (close) => <AreaForm onClose={close} /> }}
        imports={{
          does: areaImport.check,
          form: (close) => (
            <VillageImport title="导入公共区域" village="门店" calls={areaImport} onClose={close} />
          ),
        }}
        face={(area) => <AreaFace area={area} />}
        rowActions={actsOf}
        batch={[codesOf("area")]}
        drawer={(id) => <AreaDrawer id={id} />}
        exportCall={exportAreas}
        emptyText="大堂、走廊、洗衣房等共用的地方在这里登记，并记下每一处有哪些资产"
      />
      {layer}
    </>
  );
}
