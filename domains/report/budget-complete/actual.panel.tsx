import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { DrillRows } from "../budget-indicator/drill.panel.tsx";
import { budgetActual } from "./budget-complete.contract.ts";

export type Asked = { indicatorId: number; villageId: number; month: string; to?: string };

/** Behind an actual: its basis, and the postings, nights or contracts that make it. */
export const ActualDialog = ({ of, onClose }: { of: Asked; onClose: () => void }) => (
  <Dialog
    title={`实际明细 ${of.to && of.to !== of.month ? `${of.month} ~ ${of.to}` : of.month}`}
    width={820}
    onClose={onClose}
  >
    <Loaded call={budgetActual} sent={{ query: of }} lines={6}>
      {(drill) => (
        <div className="stack gap-4">
          <p>
            <b>{`${drill.villageName} · ${drill.indicatorName}`}</b>{" "}
            <span className="dim">{`${drill.basis}：${drill.source}`}</span>
          </p>
          <DrillRows drill={drill} />
        </div>
      )}
    </Loaded>
  </Dialog>
);
