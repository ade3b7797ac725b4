import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import type { CompanyRoom } from "./who.rules.ts";

/** One of the company's rooms, with its beds. */
export const CompanyRoomSelect = ({
  rooms,
  value,
  onChange,
  ...rest
}: InputProps<number> & { rooms: readonly CompanyRoom[] }) => (
  <Select
    {...rest}
    showSearch={{ optionFilterProp: "label" }}
    placeholder="选择房间"
    popupMatchSelectWidth={false}
    style={{ width: "100%" }}
    value={value ?? null}
    options={[...new Map(rooms.map((room) => [room.roomId, room])).values()].map((room) => ({
      value: room.roomId,
      label: `${room.roomName} ${room.living}/${room.capacity}`,
    }))}
    onChange={(roomId) => onChange(roomId ?? undefined)}
  />
);
