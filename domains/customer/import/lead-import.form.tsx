import { useState } from "react";
import { ImportedBar } from "../../../platform/console/files/imported-bar.tsx";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { leadImport } from "./import.contract.ts";

/** 导入客源, and after it the way back over the list. */
export function useLeadImport() {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<{ id: number; made: number; version: number }>();
  return {
    start: () => setOpen(true),
    bar: done && (
      <ImportedBar
        said={`已导入客源 ${done.made} 条，没有指定负责人的在公海`}
        ask={`删除刚导入的 ${done.made} 条客源，确定吗？`}
        undo={leadImport.undo}
        batch={done}
        onClose={() => setDone(undefined)}
      />
    ),
    dialog: open && (
      <VillageImport
        title="导入客源"
        village="意向门店"
        calls={leadImport}
        onDone={setDone}
        onClose={() => setOpen(false)}
      />
    ),
  };
}
