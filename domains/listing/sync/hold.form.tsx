import { DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { holdListings } from "./listing.contract.ts";

/** Keeps rooms off every channel, or listings off theirs, with the reason that people will read. */
export const HoldForm = ({
  title,
  note,
  body,
  onClose,
  onDone,
}: {
  title: string;
  note: string;
  body: { ids?: number[]; roomIds?: number[] };
  onClose: () => void;
  onDone?: () => void;
}) => (
  <FormDialog
    call={holdListings}
    title={title}
    ok="暂不发布"
    done="已暂不发布"
    initial={{ ...body, hold: true }}
    fields={[
      {
        key: "reason",
        must: true,
        help: note,
        input: (p) => (
          <DicSuggest {...p} kind="house" group="holdReason" max={50} placeholder="请填写原因（2-50字）" />
        ),
      },
    ]}
    onClose={onClose}
    {...(onDone && { onDone })}
  />
);
