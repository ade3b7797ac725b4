import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { recordHistory } from "../../system/log/business-log.contract.ts";
import { changesOf } from "../../system/log/changes.rules.ts";

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
      }))}
    />
  );
}
