import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { ComingChanges, SettingChanges } from "./changes.panel.tsx";
import { readBillingSetting } from "../setting/setting.contract.ts";
import { LateFeeTrial } from "./trial.form.tsx";
import { BillingForm } from "./billing.form.tsx";
import "../account/account.css";

const PARTS = [
  { key: "setting", title: "设置" },
  { key: "trial", title: "滞纳金试算" },
  { key: "changes", title: "修改记录" },
];

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
        <Underline small label="账务设置" items={PARTS} on={part} onChange={setPart} />
      </div>
      {part === "trial" && <LateFeeTrial terms={data.terms} />}
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
        <Suspense fallback={<RowsSkeleton rows={2} />}>
          <Panel id={id} />
        </Suspense>
      </section>
    );
  });
}
