import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { ManyDialog, resultColumn } from "../../../platform/console/form/many-dialog.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { contractRow } from "./contract.contract.ts";

type Of = { id: number; contractNo: string; partyName: string };
type Result = Of & { refusal: string | undefined };

/** One act on many contracts, such as links to their parties: each in a transaction of its own, afterwards with what became of it. */
export function SendMany({
  title,
  note,
  sendOne,
  of,
  verb = "发送",
  unit = "份合同",
  onClose,
}: {
  title: string;
  note: string;
  sendOne: (id: number) => Promise<unknown>;
  of: readonly Of[];
  verb?: string;
  unit?: string;
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
      title={`${title} ${of.length} ${unit}`}
      width={640}
      busy={busy}
      waits={`正在${verb}`}
      done={done}
      ok={verb}
      run={run}
      onClose={onClose}
      said={
        done
          ? `已${verb} ${of.length - failed} 份，${failed} 份没有${verb}。`
          : busy
            ? `正在${verb} ${results.length + 1} / ${of.length}`
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
            resultColumn(`已${verb}`),
          ]}
        />
      )}
    </ManyDialog>
  );
}
