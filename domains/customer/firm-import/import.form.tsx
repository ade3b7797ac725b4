import { useState } from "react";
import { ImportDialog } from "../../../platform/console/importing.tsx";
import { download, send, upload } from "../../../platform/console/request.ts";
import { VillageSelect } from "../../../platform/console/selects.tsx";
import { FIRM_TITLE } from "../firm/words.rules.ts";
import type { FirmImportCalls } from "./import.contract.ts";

/** 导入: the file is checked whole, then every firm in it is registered or none. */
export function FirmImport({ calls, onClose }: { calls: FirmImportCalls; onClose: () => void }) {
  const [villageId, setVillageId] = useState<number>();
  return (
    <ImportDialog
      title={`导入${FIRM_TITLE[calls.kind]}`}
      template={calls.template}
      notYet={villageId ? undefined : "请选择登记门店"}
      check={async (file) => {
        const { id } = await upload(calls.check, { files: [file], fields: { villageId: String(villageId) } });
        const batch = await send(calls.get, { params: { id } });
        return {
          rows: batch.rowCount,
          token: `${id} ${batch.version}`,
          errors: batch.errors.map((e) => ({
            row: e.row,
            column: `${e.column} ${e.header}`.trim(),
            msg: e.value ? `${e.msg}（${e.value}）` : e.msg,
          })),
          ...(batch.errorCount > 0 && {
            marked: () => download(calls.errorFile, { params: { id } }),
          }),
        };
      }}
      commit={(checked) => {
        const [id, version] = (checked.token ?? "").split(" ").map(Number) as [number, number];
        return send(calls.commit, { params: { id }, body: { version } });
      }}
      onClose={onClose}
    >
      <label className="fi">
        <span className="fi__label fi__label--must">登记门店</span>
        <div className="fi__in">
          <VillageSelect value={villageId} onChange={setVillageId} />
        </div>
      </label>
    </ImportDialog>
  );
}
