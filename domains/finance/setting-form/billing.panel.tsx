import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import {
  readBillingSetting,
  billingSettingHistory,
  writeBillingSetting,
  type Setting,
} from "../setting/setting.contract.ts";
import { LateFeeTrial } from "./trial.form.tsx";
import { BillingForm } from "./billing.form.tsx";
import { Workdays } from "./workdays.panel.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import "../account/account.css";

const PARTS = [
  { key: "setting", title: "设置" },
  { key: "trial", title: "滞纳金试算" },
  { key: "changes", title: "修改记录" },
];
/** One for the whole enterprise. */
const CALENDAR = { key: "workdays", title: "工作日历" };

/** Billing settings: of a village by its id, of the enterprise without one. */
export default function BillingPanel({ id = 0 }: { id?: number }) {
  const [part, setPart] = useState("setting");
  const query = id ? { villageId: id } : {};
  const { data, error, refetch } = useQuery(ask(readBillingSetting, { query }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <div className="set">
      <div className="set__parts">
        <Underline
          small
          label="账务设置"
          items={id ? PARTS : [...PARTS, CALENDAR]}
          on={part}
          onChange={setPart}
        />
      </div>
      {part === "trial" && <LateFeeTrial terms={data.terms} />}
      {part === "workdays" && <Workdays />}
      {part === "changes" && <SettingChanges villageId={data.villageId} />}
      {part === "setting" && (
        <>
          <ComingChanges setting={data} />
          <BillingForm key={`${data.villageId} ${data.version}`} setting={data} />
          <LateTerms id={id} />
        </>
      )}
    </div>
  );
}

/** The default late-fee terms, which the contract parameters keep: shown and changed by their owner's own panel. */
function LateTerms({ id }: { id: number }) {
  const panels = useSlot("billing.terms");
  return panels.map((panel) => {
    const Panel = panelOf(panel);
    return (
      <section key={panel.key} className="set__part">
        <Arriving fallback={<RowsSkeleton rows={2} />}>
          <Panel id={id} />
        </Arriving>
      </section>
    );
  });
}

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
              <StatusTag tone="grey" dot={false}>
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

/** What is decided and has not begun; one's own can be taken back. */
export function ComingChanges({ setting }: { setting: Setting }) {
  const act = useAct();
  const { villageId, version, coming, origins, values } = setting;
  const own = villageId === null ? "enterprise" : "village";
  const withdraw = ({ effectiveDate, changes }: Setting["coming"][number]) => {
    const keys = changes.map((c) => c.key);
    const kept = keys.filter((key) => origins[key] === own);
    return act(
      writeBillingSetting,
      {
        query: villageId ? { villageId } : {},
        body: {
          ...Object.fromEntries(kept.map((key) => [key, values[key]])),
          follow: keys.filter((key) => !kept.includes(key)),
          effectiveDate,
          version,
        },
      },
      {
        done: "已撤销",
        ask: { title: "撤销待生效的修改", body: `${effectiveDate} 起的修改不再生效，仍按现在的设置。` },
      },
    );
  };
  if (!coming.length) return null;
  return (
    <div className="set__wait tinted s-gold stack gap-2 fs-13" role="status">
      {coming.map((change) => (
        <span key={`${change.effectiveDate} ${change.scope}`}>
          <b>{change.effectiveDate} 起</b>　{change.changes.map((c) => `${c.title} ${c.to}`).join("；")}
          {change.scope === "enterprise" && villageId !== null ? "（企业设置）" : ""}{" "}
          {change.scope === own && setting.editable && may("252.edit") && (
            <button type="button" className="linkish" onClick={() => void withdraw(change)}>
              撤销
            </button>
          )}
        </span>
      ))}
    </div>
  );
}
