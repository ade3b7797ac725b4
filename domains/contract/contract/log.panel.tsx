import { useQuery } from "@tanstack/react-query";
import type { Tone } from "../../../platform/kernel/field.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { contractLog } from "./detail.contract.ts";

const TONES: Record<string, Tone> = {
  签署: "green",
  提交签约: "gold",
  作废: "grey",
  签署过期: "orange",
  到期未退: "red",
  办理入住: "cyan",
};

/** What happened to the contract, newest first. */
export function ContractLog({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(contractLog, { params: { id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <Timeline
      moments={data.map((m) => ({
        key: m.id,
        at: m.at,
        who: m.operatorName || "系统",
        what: m.action,
        note: m.summary,
        ...(TONES[m.action] && { tone: TONES[m.action]! }),
      }))}
    />
  );
}
