import { useState } from "react";
import { addDays, addMonths, daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { BlockForm } from "../block/block.form.tsx";
import type { Tile } from "./board.rules.ts";

const BOOKING = "/configuration/BookingManagement";
export type Picked = { tile: Tile; from: Day; to: Day };

/** What can be done with a stretch of free days. */
export function PickedBar({ picked, today, onClose }: { picked: Picked; today: Day; onClose: () => void }) {
  const [address] = useAddress();
  const go = useGo();
  const [blocking, setBlocking] = useState(false);
  const [until, setUntil] = useState<Day>();
  const { tile, from } = picked;
  // a term is longer than what the calendar shows: its end can be set by hand
  const to = until !== undefined && until > from ? until : picked.to;
  const past = from < today ? "开始日已过" : undefined;
  return (
    <div className="rb__batch row wrap" role="region" aria-label="所选日期">
      <span>
        <b>{tile.name}</b> {from} ~
      </span>
      <label className="rb__until">
        <span className="sr">结束日</span>
        <DayInput value={to} onChange={setUntil} />
      </label>
      <span>{daysBetween(from, to) + 1} 天</span>
      <Button size="sm" run={() => setUntil(addDays(addMonths(from, 12), -1))}>
        一年
      </Button>
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
                rent: tile.listPriceFen ?? undefined,
              }),
          },
          reach(BOOKING) !== undefined && {
            label: "预订",
            need: "15.add",
            why: past,
            run: () =>
              go(BOOKING, {
                tab: "reservation",
                reserve: 1,
                villageId: address.get("villageId"),
                roomId: tile.id,
                moveInDay: from,
                plannedEndDay: to,
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
