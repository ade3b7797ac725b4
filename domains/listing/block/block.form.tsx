import type { Day } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import { addBlock, editBlock } from "./block.contract.ts";

type Room = { id: number; name: string };

type Props = {
  rooms: readonly Room[];
  today: Day;
  /** Days that were dragged over on the calendar. */
  from?: Day;
  to?: Day;
  onClose: () => void;
  onDone?: () => void;
};

const namesOf = (rooms: readonly Room[]) =>
  rooms.length > 6
    ? `${rooms
        .slice(0, 6)
        .map((r) => r.name)
        .join("、")} 等 ${rooms.length} 间`
    : rooms.map((r) => r.name).join("、");

/** 封房: why, from when, until when. */
export const BlockForm = ({ rooms, today, from, to, onClose, onDone }: Props) => (
  <FormDialog
    call={addBlock}
    title="封房"
    ok="封房"
    done="已封房"
    width={520}
    initial={{ roomIds: rooms.map((r) => r.id), fromDay: from ?? today, ...(to && { toDay: to }) }}
    fields={[
      { show: () => <p className="sub">{namesOf(rooms)}</p> },
      "reason",
      "fromDay",
      { key: "toDay", placeholder: "不填则到解除为止" },
      {
        key: "note",
        help: "停用须写明原因",
        input: (p) => <DicSuggest {...p} kind="house" group="blockNote" max={200} />,
      },
    ]}
    onClose={onClose}
    {...(onDone && { onDone })}
  />
);

/** 改截止日: the block goes on longer, or ends sooner. */
export const BlockEndForm = ({
  block,
  onClose,
}: {
  block: { id: number; to: Day | null; note: string; version: number };
  onClose: () => void;
}) => (
  <FormDialog
    call={editBlock}
    title="修改封房截止日"
    done="截止日已修改"
    params={{ id: block.id }}
    initial={{ toDay: block.to, note: block.note, version: block.version }}
    fields={[{ key: "toDay", placeholder: "不填则到解除为止" }, "note"]}
    onClose={onClose}
  />
);
