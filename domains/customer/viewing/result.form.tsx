import { useId } from "react";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { ChoiceInput, TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RESULTS, type Result } from "./viewing.rules.ts";
import { finishViewing, getViewing } from "./viewing.contract.ts";
import "../lead/lead.css";

type Line = { roomId: number; result?: Result | null | undefined; feedback?: string | undefined };

/** 看房完成: what was thought of each room; of a product alone, what was thought at all. */
export function FinishForm({ of, onClose }: { of: { id: number; name: string }; onClose: () => void }) {
  const { data: viewing } = useCurrent(ask(getViewing, { params: { id: of.id } }));
  if (!viewing) return null;
  const rooms = viewing.roomList;
  return (
    <FormDialog
      call={finishViewing}
      title={`看房完成 ${of.name}`}
      ok="保存"
      done="已登记看房"
      width={560}
      params={{ id: of.id }}
      initial={{
        version: viewing.version,
        results: rooms.map((room) => ({ roomId: room.id, feedback: "" })),
      }}
      onClose={onClose}
      fields={[
        {
          key: "results",
          title: "各房间",
          wide: true,
          must: true,
          when: () => rooms.length > 0,
          help: "没有看的房间不选",
          input: (p) => <RoomResults {...(p as InputProps<Line[]>)} rooms={rooms} />,
        },
        { key: "result", must: true, when: () => rooms.length === 0 },
        { key: "feedback", title: rooms.length ? "总体反馈" : "反馈", wide: true },
      ]}
    />
  );
}

type Room = { id: number; name: string };

function RoomResults({
  rooms,
  value = [],
  onChange,
  disabled,
}: InputProps<Line[]> & { rooms: readonly Room[] }) {
  return (
    <ul className="vrooms grid gap-6">
      {rooms.map((room) => (
        <RoomResult
          key={room.id}
          room={room}
          value={value.find((line) => line.roomId === room.id)}
          disabled={disabled}
          onChange={(change) =>
            onChange(value.map((line) => (line.roomId === room.id ? { ...line, ...change } : line)))
          }
        />
      ))}
    </ul>
  );
}

function RoomResult({
  room,
  value,
  onChange,
  disabled,
}: {
  room: Room;
  value: Line | undefined;
  onChange: (change: Partial<Line>) => void;
  disabled: boolean | undefined;
}) {
  const id = useId();
  return (
    <li aria-label={room.name}>
      <label htmlFor={id}>{room.name}</label>
      <ChoiceInput
        words={RESULTS}
        value={value?.result ?? undefined}
        disabled={disabled}
        // pressed again it is taken back: that room was not seen
        onChange={(code) => onChange({ result: code === value?.result ? null : (code as Result) })}
      />
      <TextInput
        id={id}
        placeholder="反馈"
        max={500}
        value={value?.feedback ?? ""}
        disabled={disabled}
        onChange={(feedback) => onChange({ feedback: feedback ?? "" })}
      />
    </li>
  );
}
