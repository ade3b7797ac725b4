import { DicInput } from "../../../platform/console/inputs/dic.tsx";
import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { addBuilding, editBuilding } from "./building.contract.ts";

type Fields = Body<typeof addBuilding>;
type Building = Fields & { id: number; version: number };

/** Where a village is scattered its buildings lie in many places, so each says where. */
const fieldsOf = (scattered: boolean): readonly Field<Fields>[] => [
  ...(scattered ? (["communityName"] as const) : []),
  "name",
  { key: "address", ...(scattered && { title: "地址" }) },
  { key: "kind", input: (p) => <DicInput {...p} kind="house" group="buildingKind" /> },
  "floorsAbove",
  "floorsBelow",
  "elevators",
  "builtYear",
  { key: "sort", help: "数值小的排在前面" },
];

/** A building, new or as it stands. */
export function BuildingForm({
  village,
  building,
  onClose,
}: {
  village: { id: number; mode: string };
  building?: Building | undefined;
  onClose: () => void;
}) {
  const fields = fieldsOf(village.mode === "scattered");
  return building ? (
    <FormDialog
      call={editBuilding}
      params={{ id: building.id }}
      initial={building}
      title={`编辑 ${building.name}`}
      done="已保存"
      fields={fields as never}
      onClose={onClose}
    />
  ) : (
    <FormDialog
      call={addBuilding}
      initial={{ villageId: village.id, floorsAbove: 18 }}
      title="新增楼栋"
      done="已保存"
      fields={fields}
      onClose={onClose}
    />
  );
}
