import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";

type Room = Reply<typeof roomOptions>[number];
const option = ((room: Room) => ({ value: room.id, label: roomLabel(room.fullName) })) as never;

/** A room of one store. */
export const RoomSelect = ({
  villageId,
  ...props
}: Omit<InputProps<number>, "value"> & {
  value: number | null | undefined;
  villageId: number | undefined;
}) => (
  <RecordSelect
    {...props}
    value={props.value ?? undefined}
    placeholder="输入房号"
    source={{ call: roomOptions, query: villageId ? { villageId, limit: 20 } : { limit: 20 }, option }}
  />
);
