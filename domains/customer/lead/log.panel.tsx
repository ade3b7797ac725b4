import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { Timeline } from "../../../platform/console/timeline.tsx";
import { recordHistory } from "../../system/log/business-log.contract.ts";

/** What happened to a lead, a viewing or a reservation, newest first. */
export function RecordLog({ kind, id }: { kind: "lead" | "viewing" | "reservation"; id: number }) {
  const sent = { params: { kind, recordId: id }, query: { pageSize: 100 } };
  const { data, error, refetch } = useQuery(ask(recordHistory, sent));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <Timeline
      moments={data.list.map((line) => ({
        key: line.id,
        at: line.at,
        who: line.operatorName || "系统",
        what: line.action,
        note: line.summary,
      }))}
    />
  );
}
