import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { useState } from "react";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ConfigSet } from "./config-set.panel.tsx";
import { readContractConfig } from "../config/config.contract.ts";

/** 计费设置 of a village: the contract parameters in force there, and what others add through the slot "village.charging". */
export default function ChargingPanel({ id }: { id: number }) {
  const panels = useSlot("village.charging");
  const own = may(readContractConfig.needs) ? [{ key: "config", title: "合同参数" }] : [];
  const items = [...own, ...panels.map(({ key, title }) => ({ key, title }))];
  const [chosen, choose] = useState<string>();
  const on = chosen ?? items[0]?.key ?? "";
  const panel = panels.find((p) => p.key === on);
  const Panel = panel && panelOf(panel);
  return (
    <>
      {items.length > 1 && (
        <div className="conf__parts">
          <ChoiceInput
            words={Object.fromEntries(items.map(({ key, title }) => [key, [title, "grey"]]))}
            value={on}
            onChange={choose}
          />
        </div>
      )}
      <Arriving key={on} fallback={<RowsSkeleton rows={4} />}>
        {Panel ? <Panel id={id} /> : <ConfigSet key={id} villageId={id} />}
      </Arriving>
    </>
  );
}
