import type { Day } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/formdrawer.tsx";
import { finishTurnover } from "./turnover.contract.ts";

/** 完成保洁: when it was done, and what is worth saying about it. */
export const CleaningForm = ({
  turnover,
  today,
  onClose,
}: {
  turnover: { id: number; openedDay: Day };
  today: Day;
  onClose: () => void;
}) => (
  <FormDialog
    call={finishTurnover}
    title="完成保洁"
    ok="完成保洁"
    done="已完成保洁"
    params={{ id: turnover.id }}
    initial={{ doneDay: today }}
    fields={[{ show: () => <p className="sub">自 {turnover.openedDay} 待保洁</p> }, "doneDay", "note"]}
    onClose={onClose}
  />
);
