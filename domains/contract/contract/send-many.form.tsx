import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { ManyDialog, resultColumn } from "../../../platform/console/form/many-dialog.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { contractRow } from "./contract.contract.ts";

type Of = { id: number; contractNo: string; partyName: string };
type Result = Of & { refusal: string | undefined };

/** Links to many parties, each sent in a transaction of its own; afterwards each with what became of it. */
export function SendMany({
  title,
  note,
  sendOne,
  of,
  onClose,
}: {
  title: string;
  note: string;
  sendOne: (id: number) => Promise<unknown>;
  of: readonly Of[];
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const [results, setResults] = useState<readonly Result[]>([]);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    for (const { id, contractNo, partyName } of of) {
      const refusal = await sendOne(id).then(() => undefined, sentence);
      setResults((before) => [...before, { id, contractNo, partyName, refusal }]);
    }
    setBusy(false);
    await refresh();
  };
  const failed = results.filter((r) => r.refusal !== undefined).length;
  const done = results.length === of.length;
  return (
    <ManyDialog
      title={`${title} ${of.length} 份合同`}
      width={640}
      busy={busy}
      waits="正在发送"
      done={done}
      ok="发送"
      run={run}
      onClose={onClose}
      said={
        done
          ? `已发送 ${of.length - failed} 份，${failed} 份没有发送。`
          : busy
            ? `正在发送 ${results.length + 1} / ${of.length}`
            : note
      }
    >
      {results.length > 0 && (
        <RowTable
          schema={contractRow}
          rows={results}
          columns={[
            { key: "contractNo", show: (r) => r.contractNo },
            { key: "partyName", title: "客户" },
            resultColumn("已发送"),
          ]}
        />
      )}
    </ManyDialog>
  );
}
