import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { codeAct } from "../qrcode/codes.panel.tsx";
import { deleteArea, disableArea, enableArea, copyArea } from "./area.contract.ts";
import { areaMoves, type AreaState } from "./area.rules.ts";
import { AreaCopy, type Source } from "./copy.form.tsx";

type Area = Source & { version: number; state: AreaState; assets: number };

/** What can be done with an area, the same in its row and in its drawer; and the dialog that is open for it. */
export function useAreaActs(): [(area: Area) => Actions, ReactNode] {
  const act = useAct();
  const [copying, setCopying] = useState<Area>();
  const actsOf = (a: Area): Actions => {
    const one = { params: { id: a.id }, body: { version: a.version } };
    const row = { status: a.state };
    return [
      a.state === "enabled"
        ? {
            label: "停用",
            does: disableArea,
            why: areaMoves.refusal("disable", row),
            run: () =>
              act(disableArea, one, {
                done: "已停用",
                ask: { title: "停用公共区域", body: `确定停用 ${a.name} 吗？` },
              }),
          }
        : {
            label: "启用",
            does: enableArea,
            why: areaMoves.refusal("enable", row),
            run: () => act(enableArea, one, { done: "已启用" }),
          },
      { label: "复制到…", does: copyArea, run: () => setCopying(a) },
      codeAct("area", a.id),
      {
        label: "删除",
        does: deleteArea,
        danger: true,
        why: a.assets ? `该公共区域有 ${a.assets} 件资产，不能删除，可改为停用` : undefined,
        run: () =>
          act(
            deleteArea,
            { params: { id: a.id }, query: { version: a.version } },
            { done: "已删除", ask: { title: "删除公共区域", body: `确定删除 ${a.name} 吗？` } },
          ),
      },
    ];
  };
  const layer = copying && <AreaCopy area={copying} onClose={() => setCopying(undefined)} />;
  return [actsOf, layer];
}
