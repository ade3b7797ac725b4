import { useState } from "react";
import { ImportDialog } from "../../../platform/console/importing.tsx";
import { download, send, upload } from "../../../platform/console/request.ts";
import { VillageSelect } from "../../../platform/console/selects.tsx";
import { agentErrorFile, agentTemplate, checkAgents, commitAgents } from "./import.contract.ts";

/** 导入经纪人: the file is checked whole, then everybody in it is registered or nobody. */
export function AgentImport({ onClose }: { onClose: () => void }) {
  const [villageId, setVillageId] = useState<number>();
  return (
    <ImportDialog
      title="导入经纪人"
      template={agentTemplate}
      notYet={villageId ? undefined : "请选择门店"}
      check={async (file) => {
        const checked = await upload(checkAgents, {
          files: [file],
          fields: { villageId: String(villageId) },
        });
        const { id } = checked;
        return {
          rows: checked.rows,
          token: String(id),
          errors: checked.errors.map((e) => ({
            row: e.row,
            column: `${e.column} ${e.header}`.trim(),
            msg: e.value ? `${e.msg}（${e.value}）` : e.msg,
          })),
          ...(checked.errors.length > 0 && { marked: () => download(agentErrorFile, { params: { id } }) }),
        };
      }}
      commit={({ token }) => send(commitAgents, { params: { id: Number(token) }, body: {} })}
      onClose={onClose}
    >
      <label className="fi">
        <span className="fi__label fi__label--must">门店</span>
        <div className="fi__in">
          <VillageSelect value={villageId} onChange={setVillageId} />
        </div>
      </label>
    </ImportDialog>
  );
}
