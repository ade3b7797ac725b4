import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { ask } from "../../../platform/console/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { StatusTag } from "../../../platform/console/tag.tsx";
import { Timeline } from "../../../platform/console/timeline.tsx";
import { billingSettingHistory } from "./setting.contract.ts";

type Change = Reply<typeof billingSettingHistory>[number];

const lines = (change: Change) =>
  change.changes.map((c) => (
    <span key={c.title} style={{ display: "block" }}>
      {c.title}：{c.from} → {c.to}
    </span>
  ));

/** Who changed what, newest first, with the day from which it holds. */
export function SettingChanges({ villageId }: { villageId: number | null }) {
  const query = villageId ? { villageId } : {};
  const { data, error, refetch } = useQuery(ask(billingSettingHistory, { query }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <Timeline
      emptyText="还没有修改过，都是产品默认"
      moments={data.map((change) => ({
        key: change.id,
        at: change.at,
        who: change.who,
        what: (
          <>
            {change.effectiveDate} 起生效{" "}
            {villageId !== null && (
              <StatusTag tone={change.scope === "village" ? "blue" : "cyan"} dot={false}>
                {change.scope === "village" ? "门店" : "企业"}
              </StatusTag>
            )}
            {change.coming && <StatusTag tone="gold">待生效</StatusTag>}
          </>
        ),
        note: lines(change),
      }))}
    />
  );
}

/** What is decided and has not begun. */
export const ComingChanges = ({ coming }: { coming: readonly Change[] }) =>
  coming.length > 0 && (
    <div className="set__wait" role="status">
      {coming.map((change) => (
        <span key={change.id}>
          <b>{change.effectiveDate} 起</b>　{change.changes.map((c) => `${c.title} ${c.to}`).join("；")}
          {change.scope === "enterprise" ? "（企业设置）" : ""}
        </span>
      ))}
    </div>
  );
