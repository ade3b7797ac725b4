import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { listRuns } from "../statement/statement.contract.ts";

type Mode = "claim" | "reconcile";
const EVERY_MS = 1500;

/** Long files that a job is at work on, above the list of files, which follows when one is done. */
export function Runs({ mode }: { mode: Mode }) {
  const refresh = useRefresh();
  const { data = [] } = useQuery({
    ...ask(listRuns, { query: { mode } }),
    refetchInterval: ({ state }) => (state.data?.some((run) => run.state === "running") ? EVERY_MS : false),
  });
  const running = data.filter((run) => run.state === "running").map((run) => run.id);
  const before = useRef<number[]>([]);
  const key = running.join(",");
  useEffect(() => {
    const ended = before.current.some((id) => !running.includes(id));
    before.current = running;
    if (ended) void refresh();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
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
