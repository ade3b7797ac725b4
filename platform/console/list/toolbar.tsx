import { Dropdown } from "antd";
import type { ReactNode } from "react";
import type { Call, Need } from "../../kernel/call.ts";
import { ActionButtons, type Actions } from "../parts/actions.tsx";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import type { Density } from "./sheet.tsx";

const DENSITIES: readonly [Density, string][] = [
  ["normal", "标准"],
  ["tight", "紧凑"],
  ["loose", "宽松"],
];

export type Batch<R> = {
  label: string;
  does?: Call;
  need?: Need;
  why?: (rows: readonly R[]) => string | undefined;
  run: (rows: readonly R[]) => unknown;
};

type Props = {
  actions: Actions;
  batch: Actions;
  picked: ReactNode;
  onUnpick: () => void;
  onExport: (() => unknown) | undefined;
  density: Density;
  onDensity: (density: Density) => void;
  columnSet: ReactNode;
  picture: boolean | undefined;
  onPicture: () => void;
  faces: boolean | undefined;
  onFaces: () => void;
  onRefresh: () => unknown;
};

/** Main action left, what concerns the list itself right. */
export function Toolbar(p: Props) {
  const densityMenu = {
    items: DENSITIES.map(([key, label]) => ({ key, label })),
    selectable: true,
    selectedKeys: [p.density],
    onClick: ({ key }: { key: string }) => p.onDensity(key as Density),
  };
  return (
    <div className="tools row">
      <ActionButtons actions={p.actions} most={4} />
      {p.picked && (
        <>
          <ActionButtons actions={p.batch} most={3} />
          <span className="tools__picked fs-13 sub">{p.picked}</span>
          <Button look="text" run={p.onUnpick}>
            取消选择
          </Button>
        </>
      )}
      <span className="grow" />
      {p.picture !== undefined && (
        <IconButton icon="chart" label={p.picture ? "收起图表" : "展开图表"} run={p.onPicture} />
      )}
      {p.faces !== undefined && (
        <IconButton icon={p.faces ? "list" : "grid"} label={p.faces ? "表格" : "卡片"} run={p.onFaces} />
      )}
      {p.onExport && <IconButton icon="download" label="导出" run={p.onExport} />}
      {p.columnSet}
      <Dropdown trigger={["click"]} menu={densityMenu}>
        <button type="button" className="ib" aria-label="密度" title="密度">
          <Icon name="rows" />
        </button>
      </Dropdown>
      <IconButton icon="refresh" label="刷新" run={p.onRefresh} />
    </div>
  );
}
