import type { Reply } from "../../../platform/kernel/call.ts";
import { DicInput } from "../../../platform/console/inputs/dic.tsx";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { addArea, editArea, type publicArea } from "./area.contract.ts";
import { AREA_PICTURES } from "./area.rules.ts";
import { BuildingSelect, FloorSelect } from "./place.panel.tsx";

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
  const [address, set] = useAddress();
  const shared = { cols: 2, width: 820, fields: FIELDS, onClose };
  if (area)
    return (
      <FormDrawer
        {...shared}
        call={editArea}
        params={{ id: area.id }}
        initial={area}
        title={`编辑 ${area.name}`}
        done="已保存"
      />
    );
  // the one store that the list shows is the one that is meant
  const [only, ...more] = (address.get("villageIds") ?? "").split(",").filter(Boolean);
  return (
    <FormDrawer
      {...shared}
      call={addArea}
      initial={only && !more.length ? { villageId: Number(only) } : {}}
      title="新增公共区域"
      done="公共区域已新增"
      onDone={({ id }) => set({ id, part: undefined })}
    />
  );
}
