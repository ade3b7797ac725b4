import type { Reply } from "../../../platform/kernel/call.ts";
import { type Body, RecordForm } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { DicInput } from "../../../platform/console/inputs/dic.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { useAddress, useOneVillage } from "../../../platform/console/screens/page.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { BuildingSelect, FloorSelect } from "../building/place.panel.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { addArea, AREA_PICTURES, editArea, type publicArea } from "./area.contract.ts";

const PEOPLE: Source = {
  call: listHolders,
  query: { permit: "6.query" },
  option: (o: { id: number; realName: string; phone: string }) => ({
    value: o.id,
    label: `${o.realName} ${o.phone}`,
  }),
};

const FIELDS: readonly Field<Body<typeof addArea>>[] = [
  { section: "位置" },
  { key: "villageId", input: (p) => <VillageSelect {...p} /> },
  { key: "buildingId", input: (p, v) => <BuildingSelect {...p} villageId={v.villageId} /> },
  {
    key: "floorId",
    input: (p, v) => <FloorSelect {...p} villageId={v.villageId} buildingId={v.buildingId} />,
  },
  { section: "区域" },
  { key: "name", placeholder: "如 走廊、洗衣房" },
  { key: "kindDic", input: (p) => <DicInput {...p} kind="house" group="areaKind" keeps="code" /> },
  "area",
  "capacity",
  { key: "openHours", placeholder: "如 08:00-22:00" },
  { key: "managerId", input: (p) => <RecordSelect {...p} source={PEOPLE} placeholder="请选择负责人" /> },
  { key: "pictures", wide: true, input: (p) => <PicturesInput {...p} most={AREA_PICTURES} /> },
  { key: "remark", wide: true },
];

/** A new public area, or one as it stands. */
export function AreaForm({ area, onClose }: { area?: Reply<typeof publicArea>; onClose: () => void }) {
  const [, set] = useAddress();
  return (
    <RecordForm
      add={addArea}
      edit={editArea}
      one="公共区域"
      record={area}
      initial={useOneVillage()}
      fields={FIELDS}
      cols={2}
      width={820}
      onAdded={({ id }) => set({ id, part: undefined })}
      onClose={onClose}
    />
  );
}
