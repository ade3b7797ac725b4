import { dayInZone } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { OverGrid } from "./layer.form.tsx";
import { leaveOccupants } from "./occupant.contract.ts";

/** 搬离: everybody ticked has their last day. */
export const LeaveForm = ({ companyId, people, onDone, onClose }: OverGrid) => (
  <FormDialog
    call={leaveOccupants}
    title={`搬离 ${people.length} 人`}
    ok="确认搬离"
    done={`已登记 ${people.length} 位入住人搬离`}
    initial={{ companyId, ids: people.map((p) => p.id), lastDay: dayInZone(new Date()), reason: "" }}
    fields={[
      { show: () => <p className="asked">{people.map((p) => `${p.name}（${p.roomName}）`).join("、")}</p> },
      "lastDay",
      "reason",
    ]}
    onDone={onDone}
    onClose={onClose}
  />
);
