import { useFollowed } from "../../../platform/console/calls/followed.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { listRuns } from "../statement/statement.contract.ts";

type Mode = "claim" | "reconcile";

/** Long files that a job is at work on, above the list of files, which follows when one is done. */
export function Runs({ mode }: { mode: Mode }) {
  const { data = [] } = useFollowed(ask(listRuns, { query: { mode } }), (runs) =>
    runs.filter((run) => run.state === "running").map((run) => run.id),
  );
  if (!data.length) return null;
  return (
    <div className="stack gap-2">
      {data.map((run) => (
        <p key={run.id} className={run.state === "failed" ? "bad" : "sub"} role="status">
          {run.accountName} {run.fileName}：
          {run.state === "failed"
            ? `${run.kind === "undo" ? "撤销" : "导入"}没有完成，${run.told}`
            : `正在${run.kind === "undo" ? "撤销" : "导入"} ${run.progress}%`}
        </p>
      ))}
    </div>
  );
}

/** After 撤销导入: whether it is done, or goes on. */
export const toldOfUndo = (reply: { runId: number | null } | undefined): void => {
  if (reply) toast(reply.runId ? "正在撤销，进度在列表上方" : "已撤销导入");
};
