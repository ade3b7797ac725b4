import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { SettingCopy } from "./copy.form.tsx";
import { closeVillage, deleteVillage, openVillage } from "./village.contract.ts";
import type { VillageState } from "./village.rules.ts";
import { copySetting } from "./setting.contract.ts";

type Village = { id: number; name: string; version: number; state: VillageState; buildings: number };

/** What can be done with a village, the same in its row and on its own page; and the dialog that is open for it. */
export function useVillageActs(): [(v: Village) => Actions, ReactNode] {
  const act = useAct();
  const today = useOperator()?.today;
  const [closing, setClosing] = useState<Village>();
  const [copying, setCopying] = useState<Village>();
  const actsOf = (v: Village): Actions => [
    v.state !== "open" && {
      label: "开业",
      does: openVillage,
      run: () =>
        v.state === "closed"
          ? act(openVillage, { params: { id: v.id }, body: { version: v.version } } as never, {
              done: "已重新开业",
              reason: { title: `重新开业 ${v.name}` },
            })
          : act(
              openVillage,
              { params: { id: v.id }, body: { version: v.version } },
              { done: "已开业", ask: { title: "开业", body: `确定 ${v.name} 开业吗？` } },
            ),
    },
    v.state === "open" && { label: "停业", does: closeVillage, run: () => setClosing(v) },
    { label: "复制设置到…", does: copySetting, run: () => setCopying(v) },
    {
      label: "删除",
      does: deleteVillage,
      danger: true,
      why: v.buildings ? `该门店有 ${v.buildings} 个楼栋，不能删除，可改为停业` : undefined,
      run: () =>
        act(
          deleteVillage,
          { params: { id: v.id }, query: { version: v.version } },
          { done: "已删除", ask: { title: "删除门店", body: `确定删除 ${v.name} 吗？` } },
        ),
    },
  ];
  const layer = (
    <>
      {closing && (
        <FormDialog
          call={closeVillage}
          params={{ id: closing.id }}
          initial={{ version: closing.version, ...(today && { closedDay: today }) }}
          title={`停业 ${closing.name}`}
          ok="停业"
          done="已停业"
          fields={["closedDay", "reason"]}
          onClose={() => setClosing(undefined)}
        />
      )}
      {copying && <SettingCopy from={copying} onClose={() => setCopying(undefined)} />}
    </>
  );
  return [actsOf, layer];
}
