import { useState } from "react";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { ActionButtons } from "../../../platform/console/actions.tsx";
import { Button } from "../../../platform/console/button.tsx";
import { useAddress, useGo } from "../../../platform/console/page.ts";
import { reach } from "../../../platform/console/reach.ts";
import { BlockForm } from "../block/block.form.tsx";
import type { Tile } from "./board.rules.ts";

export type Picked = { tile: Tile; from: Day; to: Day };

/** What can be done with a stretch of free days. */
export function PickedBar({ picked, today, onClose }: { picked: Picked; today: Day; onClose: () => void }) {
  const [address] = useAddress();
  const go = useGo();
  const [blocking, setBlocking] = useState(false);
  const { tile, from, to } = picked;
  const past = from < today ? "开始日已过" : undefined;
  return (
    <div className="rb__batch" role="region" aria-label="所选日期">
      <span>
        <b>{tile.name}</b> {from} ~ {to}，{daysBetween(from, to) + 1} 天
      </span>
      <ActionButtons
        actions={[
          reach("/contract/RenterContractPage") !== undefined && {
            label: "新签合同",
            need: "9.add",
            main: true,
            why: past,
            run: () =>
              go("/contract/RenterContractPage", {
                draft: "new",
                villageId: address.get("villageId"),
                roomId: tile.id,
                start: from,
                end: to,
              }),
          },
          { label: "封房", need: "3.edit", why: past, run: () => setBlocking(true) },
        ]}
      />
      <Button look="text" run={onClose}>
        取消
      </Button>
      {blocking && (
        <BlockForm
          rooms={[tile]}
          today={today}
          from={from}
          to={to}
          onClose={() => setBlocking(false)}
          onDone={onClose}
        />
      )}
    </div>
  );
}
