import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { RowActions, type Actions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import {
  addDistrict,
  deleteDistrict,
  districts,
  editDistrict,
} from "../../place/district/district.contract.ts";
import { DISTRICT_LEVELS, type DistrictLevel } from "../../place/district/district.rules.ts";
import { addVillage, editVillage } from "./village.contract.ts";

type District = Reply<typeof districts>[number];
const NEXT: Record<DistrictLevel, DistrictLevel | undefined> = {
  city: "area",
  area: "block",
  block: undefined,
};

/** Districts as a tree: add, rename, order, disable, delete. */
export function DistrictDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct();
  const [open, setOpen] = useState<{ parent?: District; district?: District }>();
  const { data, error, refetch } = useQuery(ask(districts));
  const edit = (d: District, changes: Partial<District>, done: string) => {
    const { name, level, adCode, parentId, sort, enabled, version } = { ...d, ...changes };
    return act(
      editDistrict,
      { params: { id: d.id }, body: { name, level, adCode, parentId, sort, enabled, version } },
      { done },
    );
  };
  const actsOf = (d: District): Actions => [
    NEXT[d.level] && { label: "加下级", does: addVillage, run: () => setOpen({ parent: d }) },
    { label: "编辑", does: editVillage, run: () => setOpen({ district: d }) },
    d.enabled
      ? { label: "停用", need: "6.edit", run: () => edit(d, { enabled: false }, "已停用") }
      : { label: "启用", need: "6.edit", run: () => edit(d, { enabled: true }, "已启用") },
    deleteAction(deleteDistrict, d, {
      title: "删除区域",
      body: `确定删除 ${d.name} 吗？`,
      why: d.villages ? "该区域下有门店，不能删除" : undefined,
    }),
  ];
  const branch = (parentId: number | null) => {
    const children = (data ?? []).filter((d) => d.parentId === parentId);
    return children.length ? (
      <ul>
        {children.map((d) => (
          <li key={d.id}>
            <div className="structure__line row gap-6 fs-13">
              <span className="structure__name">{d.name}</span>
              <small className="dim">{DISTRICT_LEVELS[d.level][0]}</small>
              {!d.enabled && <StatusTag tone="grey">已停用</StatusTag>}
              <span className="grow" />
              <small className="dim">{d.villages} 个门店</small>
              <RowActions actions={actsOf(d)} />
            </div>
            {branch(d.id)}
          </li>
        ))}
      </ul>
    ) : null;
  };
  const level = open?.parent ? (NEXT[open.parent.level] ?? "block") : "city";
  const fields = [
    "name" as const,
    "level" as const,
    "adCode" as const,
    { key: "sort" as const, help: "数值小的排在前面" },
  ];
  return (
    <Drawer title="区域管理" width={640} modal onClose={onClose}>
      {may("6.add") && (
        <p className="acts">
          <Button icon="plus" run={() => setOpen({})}>
            新增区域
          </Button>
        </p>
      )}
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={4} />
      ) : data.length ? (
        <div className="structure__tree">{branch(null)}</div>
      ) : (
        <Empty text="还没有区域；门店按区域分组，最多三级：城市、区县、板块" />
      )}
      {open &&
        (open.district ? (
          <FormDialog
            call={editDistrict}
            params={{ id: open.district.id }}
            initial={open.district}
            title={`编辑 ${open.district.name}`}
            done="已保存"
            fields={fields}
            onClose={() => setOpen(undefined)}
          />
        ) : (
          <FormDialog
            call={addDistrict}
            initial={{ level, parentId: open.parent?.id ?? null }}
            title={open.parent ? `${open.parent.name} 新增下级` : "新增区域"}
            done="已新增"
            fields={fields}
            onClose={() => setOpen(undefined)}
          />
        ))}
    </Drawer>
  );
}
