import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { addRoom } from "./room.contract.ts";

type Flat = {
  id: number;
  villageId: number;
  fullName: string;
  rentMode: string;
  rooms: readonly { id: number; name: string; kind: string }[];
};

/** One more room of a divided flat, or a bed in one of its rooms. */
export function AddRoomForm({ flat, onClose }: { flat: Flat; onClose: () => void }) {
  const rooms = flat.rooms.filter((room) => room.kind === "room");
  return (
    <FormDrawer
      call={addRoom}
      initial={{ apartmentId: flat.id, unit: "month", capacity: flat.rentMode === "bed" ? 1 : 2 }}
      title={`${flat.fullName} ${flat.rentMode === "bed" ? "加床位" : "加房间"}`}
      done="已新增"
      cols={2}
      width={720}
      fields={[
        "name",
        ...(rooms.length ? [within(rooms)] : []),
        "area",
        { key: "capacity", unit: "人" },
        {
          key: "orientation",
          input: (p) => <DicInput {...p} kind="house" group="orientation" />,
        },
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        "unit",
        { key: "firstDay", help: "不填为今天" },
        {
          key: "facilities",
          wide: true,
          input: (p) => <DicsInput {...p} kind="facility" group="room" villageId={flat.villageId} />,
        },
        {
          key: "tags",
          wide: true,
          input: (p) => (
            <DicsInput {...p} kind="house" group="roomTag" free placeholder="选择或输入，最多 10 个" />
          ),
        },
        { key: "remark", wide: true },
      ]}
      onClose={onClose}
    />
  );
}

/** The room that a bed stands in. */
const within = (rooms: Flat["rooms"]): Field<Body<typeof addRoom>> => {
  const words = Object.fromEntries(rooms.map((room) => [room.id, [room.name, "grey"] as const]));
  return {
    key: "parentRoomId",
    title: "所在房间",
    help: "选择后新增的是这个房间里的床位",
    input: (p) => (
      <ChoiceInput
        {...p}
        clear
        value={p.value === undefined ? undefined : String(p.value)}
        onChange={(next) => p.onChange(next ? Number(next) : undefined)}
        words={words}
      />
    ),
  };
};
