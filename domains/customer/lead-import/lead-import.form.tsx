import { useState } from "react";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { ImportDialog } from "../../../platform/console/importing.tsx";
import { download, send, upload } from "../../../platform/console/request.ts";
import { VillageSelect } from "../../../platform/console/selects.tsx";
import {
  checkLeadImport,
  commitLeadImport,
  getLeadImport,
  leadErrorFile,
  leadTemplate,
  undoLeadImport,
} from "./lead-import.contract.ts";

type Done = { id: number; made: number; version: number };

/** 导入客源: the file is checked whole, then everybody in it is registered or nobody. */
export function LeadImport({ onDone, onClose }: { onDone: (done: Done) => void; onClose: () => void }) {
  const [villageId, setVillageId] = useState<number>();
  return (
    <ImportDialog
      title="导入客源"
      template={leadTemplate}
      notYet={villageId ? undefined : "请选择意向门店"}
      check={async (file) => {
        const { id } = await upload(checkLeadImport, {
          files: [file],
          fields: { villageId: String(villageId) },
        });
        const batch = await send(getLeadImport, { params: { id } });
        return {
          rows: batch.rowCount,
          token: `${id} ${batch.version}`,
          errors: batch.errors.map((e) => ({
            row: e.row,
            column: `${e.column} ${e.header}`.trim(),
            msg: e.value ? `${e.msg}（${e.value}）` : e.msg,
          })),
          ...(batch.errorCount > 0 && {
            marked: () => download(leadErrorFile, { params: { id } }),
          }),
        };
      }}
      commit={async (checked) => {
        const [id, version] = (checked.token ?? "").split(" ").map(Number) as [number, number];
        const done = await send(commitLeadImport, { params: { id }, body: { version } });
        onDone({ ...done, version: version + 1 });
        return done;
      }}
      onClose={onClose}
    >
      <label className="fi">
        <span className="fi__label fi__label--must">意向门店</span>
        <div className="fi__in">
          <VillageSelect value={villageId} onChange={setVillageId} />
        </div>
      </label>
    </ImportDialog>
  );
}

/** After an import: how many came, and the way back while nobody has worked on them. */
export function ImportedBar({ done, onClose }: { done: Done; onClose: () => void }) {
  const act = useAct();
  const undo = async () => {
    const sent = { params: { id: done.id }, body: { version: done.version } };
    const ask = { title: "撤销导入", body: `删除刚导入的 ${done.made} 条客源，确定吗？` };
    if ((await act(undoLeadImport, sent, { done: "已撤销导入", ask })) !== undefined) onClose();
  };
  return (
    <div className="notice s-green">
      <span className="grow">已导入客源 {done.made} 条，没有指定负责人的在公海</span>
      <Button size="sm" run={undo}>
        撤销导入
      </Button>
      <Button size="sm" run={onClose}>
        知道了
      </Button>
    </div>
  );
}
