import type { Day } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { ChecklistInput } from "./checklist.form.tsx";
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
    fields={[
      { show: () => <p className="sub">自 {turnover.openedDay} 待保洁</p> },
      "doneDay",
      { key: "checklist", title: "保洁清单", wide: true, input: (p) => <ChecklistInput {...p} /> },
      { key: "fileIds", wide: true, input: (p) => <PicturesInput {...p} most={9} /> },
      "note",
    ]}
    width={560}
    onClose={onClose}
  />
);
