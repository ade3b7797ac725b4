import { useQuery } from "@tanstack/react-query";
import type { Tone } from "../../../platform/kernel/field.ts";
import { ask } from "../../../platform/console/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { Timeline } from "../../../platform/console/timeline.tsx";
import { recordHistory } from "../../system/log/business-log.contract.ts";
import { changesOf } from "../../system/log/changes.rules.ts";

const TONES: Record<string, Tone> = {
  新增: "green",
  更正: "orange",
  查看: "gold",
  合并: "purple",
  关联: "blue",
  匿名化: "red",
  授信: "orange",
  对账: "blue",
};

/** What happened to a record, newest first, with old and new values. */
export function RecordLog({ kind, id }: { kind: string; id: number }) {
  const { data, error, refetch } = useQuery(
    ask(recordHistory, { params: { kind, recordId: id }, query: { pageSize: 100 } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <Timeline
      emptyText="还没有记录"
      moments={data.list.map((line) => ({
        key: line.id,
        at: line.at,
        who: line.operatorName || "系统",
        what: line.action,
        note: (
          <>
            {line.summary}
            {changesOf(line.before, line.after).map((c) => (
              <span key={c.field} className="dim">
                {" "}
                {c.field}：{c.before} → {c.after}
              </span>
            ))}
          </>
        ),
        ...(TONES[line.action] && { tone: TONES[line.action]! }),
      }))}
    />
  );
}
