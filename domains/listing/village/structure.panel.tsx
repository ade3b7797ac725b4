import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { RowActions, type Actions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import {
  buildingTree,
  deleteBuilding,
  addUnit,
  deleteUnit,
  editUnit,
  addFloor,
  deleteFloor,
  editFloor,
} from "../building/building.contract.ts";
import { BuildingForm, GenerateForm } from "../generate/generate.form.tsx";
import type { VillageMode } from "./village.rules.ts";
import { addVillage, deleteVillage, editVillage } from "./village.contract.ts";

type Building = Reply<typeof buildingTree>[number];
type Unit = Building["units"][number];
type Floor = Building["floors"][number];
type Open =
  | { form: "building"; building?: Building }
  | { form: "unit"; building: Building; unit?: Unit }
  | { form: "floor"; building: Building; unitId: number | null; floor?: Floor }
  | { form: "generate" };

/** Buildings, units and floors of a village as a tree that is edited where it stands. */
export function StructurePanel({ village }: { village: { id: number; mode: VillageMode } }) {
  const [open, setOpen] = useState<Open>();
  const [unfolded, setUnfolded] = useState<number[]>([]);
  const { data, error, refetch } = useQuery(ask(buildingTree, { query: { villageId: village.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;

  const remove = (
    call: typeof deleteBuilding,
    what: string,
    row: { id: number; name: string; version: number },
  ) =>
    deleteAction(call, row, {
      title: `删除${what}`,
      body: `确定删除 ${row.name} 吗？`,
      need: deleteVillage.needs,
    });
  const buildingActs = (building: Building): Actions => [
    { label: "加单元", does: addVillage, run: () => setOpen({ form: "unit", building }) },
    { label: "加楼层", does: addVillage, run: () => setOpen({ form: "floor", building, unitId: null }) },
    { label: "编辑", does: editVillage, run: () => setOpen({ form: "building", building }) },
    remove(deleteBuilding, "楼栋", building),
  ];
  const unitActs = (building: Building, unit: Unit): Actions => [
    { label: "加楼层", does: addVillage, run: () => setOpen({ form: "floor", building, unitId: unit.id }) },
    { label: "编辑", does: editVillage, run: () => setOpen({ form: "unit", building, unit }) },
    remove(deleteUnit, "单元", unit),
  ];
  const floorActs = (building: Building, floor: Floor): Actions => [
    {
      label: "编辑",
      does: editVillage,
      run: () => setOpen({ form: "floor", building, unitId: floor.unitId, floor }),
    },
    remove(deleteFloor, "楼层", floor),
  ];
  const floors = (building: Building, unitId: number | null) => (
    <ul>
      {building.floors
        .filter((floor) => floor.unitId === unitId)
        .toReversed()
        .map((floor) => (
          <li key={floor.id}>
            <Line name={floor.name} counts={floor} actions={floorActs(building, floor)} />
          </li>
        ))}
    </ul>
  );
  const toggle = (id: number) =>
    setUnfolded(unfolded.includes(id) ? unfolded.filter((each) => each !== id) : [...unfolded, id]);
  return (
    <div className="structure">
      {may("6.add") && (
        <p className="acts">
          <Button icon="plus" run={() => setOpen({ form: "building" })}>
            新增楼栋
          </Button>
          <Button run={() => setOpen({ form: "generate" })}>批量生成</Button>
        </p>
      )}
      {!data.length && <Empty text="还没有楼栋；可以逐个新增，也可以按规则批量生成楼栋、单元、楼层和房源" />}
      <ul className="structure__tree">
        {data.map((building) => (
          <li key={building.id}>
            <Line
              name={[building.communityName, building.name].filter(Boolean).join(" ")}
              note={`${building.kind ? `${building.kind}，` : ""}地上 ${building.floorsAbove} 层${building.floorsBelow ? `，地下 ${building.floorsBelow} 层` : ""}`}
              counts={building}
              actions={buildingActs(building)}
              open={unfolded.includes(building.id)}
              onToggle={() => toggle(building.id)}
            />
            {unfolded.includes(building.id) && (
              <>
                {floors(building, null)}
                <ul>
                  {building.units.map((unit) => (
                    <li key={unit.id}>
                      <Line name={unit.name} counts={unit} actions={unitActs(building, unit)} />
                      {floors(building, unit.id)}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </li>
        ))}
      </ul>
      {open && <Forms village={village} open={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function Line({
  name,
  note,
  counts,
  actions,
  open,
  onToggle,
}: {
  name: string;
  note?: string;
  counts: { apartments: number; rooms: number };
  actions: Actions;
  open?: boolean;
  onToggle?: () => void;
}) {
  return (
    <div className="structure__line row gap-6 fs-13">
      {onToggle ? (
        <button type="button" className="structure__name" aria-expanded={open} onClick={onToggle}>
          <Icon name={open ? "down" : "right"} size={12} />
          <b>{name}</b>
        </button>
      ) : (
        <span className="structure__name">{name}</span>
      )}
      {note && <small className="dim">{note}</small>}
      <span className="grow" />
      <small className="dim">
        {counts.apartments} 套 {counts.rooms} 间
      </small>
      <RowActions actions={actions} />
    </div>
  );
}

function Forms({
  village,
  open,
  onClose,
}: {
  village: { id: number; mode: VillageMode };
  open: Open;
  onClose: () => void;
}) {
  if (open.form === "generate") return <GenerateForm village={village} onClose={onClose} />;
  if (open.form === "building")
    return <BuildingForm village={village} building={open.building} onClose={onClose} />;
  const layer = { onClose, done: "已保存" };
  const { building } = open;
  if (open.form === "unit")
    return open.unit ? (
      <FormDialog
        {...layer}
        call={editUnit}
        params={{ id: open.unit.id }}
        initial={open.unit}
        title={`编辑 ${open.unit.name}`}
        fields={["name", "sort"]}
      />
    ) : (
      <FormDialog
        {...layer}
        call={addUnit}
        initial={{ buildingId: building.id, sort: building.units.length }}
        title={`${building.name} 新增单元`}
        fields={["name", "sort"]}
      />
    );
  const floorFields = [
    { key: "number" as const, help: "地下用负数，如 -1" },
    { key: "name" as const, placeholder: "不填为 3F、B1" },
  ];
  return open.floor ? (
    <FormDialog
      {...layer}
      call={editFloor}
      params={{ id: open.floor.id }}
      initial={open.floor}
      title={`编辑 ${open.floor.name}`}
      fields={floorFields}
    />
  ) : (
    <FormDialog
      {...layer}
      call={addFloor}
      initial={{ buildingId: building.id, unitId: open.unitId }}
      title={`${building.name} 新增楼层`}
      fields={floorFields}
    />
  );
}
