import { Checkbox } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import { GENDERS } from "../../listing/room/words.rules.ts";
import { type CompanyRoom, type Occupant, placed } from "./stay.rules.ts";
import "../contract/contract.css";

type Picked = ReadonlySet<number>;
type Props = { rooms: readonly CompanyRoom[]; picked: Picked; pick: (ids: Picked) => void };

/** Each room with its beds and the people in it, to be ticked. */
export function RoomGrid({ rooms, picked, pick }: Props) {
  const toggle = (id: number) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    pick(next);
  };
  return (
    <div className="box">
      <table className="tbl occupants">
        <thead>
          <tr>
            <th>房间</th>
            <th>合同</th>
            <th className="num">已住 / 可住</th>
            <th>入住人</th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <tr key={`${room.contractId} ${room.roomId}`}>
              <td>
                <RoomName room={room} />
              </td>
              <td>
                <div>{room.contractNo}</div>
                <span className="dim">
                  {room.from} ~ {room.to ?? "未定"}
                </span>
              </td>
              <td className="num">
                <Beds living={room.living} capacity={room.capacity} />
              </td>
              <td>
                {room.people.length === 0 && <span className="dim">空置</span>}
                {room.people.map((p) => (
                  <Checkbox key={p.id} checked={picked.has(p.id)} onChange={() => toggle(p.id)}>
                    {p.name}{" "}
                    <span className="dim">{[p.relation, p.phone, p.certNo].filter(Boolean).join(" ")}</span>{" "}
                    <span className="dim">
                      {p.fromDate} ~ {p.toDate ?? "未定"}
                      {p.lockAccess ? "" : "，无门锁权限"}
                    </span>
                  </Checkbox>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RoomName({ room }: { room: CompanyRoom }) {
  const to = reach("/configuration/apartment", { room: room.roomId });
  return (
    <span className="row">
      {to ? <Link to={to}>{room.roomName}</Link> : room.roomName}
      {room.gender !== "any" && <WordTag words={GENDERS} code={room.gender} dot={false} />}
    </span>
  );
}

type Filled = { living: number; capacity: number };
/** Full rooms are green, those above their capacity red. */
const toneOf = ({ living, capacity }: Filled): Tone =>
  living > capacity ? "red" : living === capacity ? "green" : living ? "blue" : "grey";
const Beds = (filled: Filled) => (
  <StatusTag tone={toneOf(filled)}>
    {filled.living} / {filled.capacity}
  </StatusTag>
);

type TilesProps = {
  rooms: readonly CompanyRoom[];
  /** Why nobody may be moved. */
  why: string | undefined;
  move: (person: Occupant, to: CompanyRoom) => void;
};

/**
 * Each room as a tile in the colour of its beds. Somebody is dragged from tile to tile, or taken up by a click or Enter and put
 * down with the button of another tile.
 */
export function RoomTiles({ rooms, why, move }: TilesProps) {
  const [held, setHeld] = useState<Occupant>();
  const [over, setOver] = useState<CompanyRoom>();
  const put = (room: CompanyRoom) => {
    setOver(undefined);
    setHeld(undefined);
    if (held && held.roomId !== room.roomId && !why) move(held, room);
  };
  return (
    <div className="occupants__tiles grid gap-4" role="list" aria-label="房间与入住人">
      {rooms.map((room) => (
        <section
          key={`${room.contractId} ${room.roomId}`}
          role="listitem"
          aria-label={room.roomName}
          className={`occupants__tile stack gap-3 tinted s-${toneOf(room)} ${over === room ? "on" : ""}`}
          onDragOver={(event) => {
            if (!held || held.roomId === room.roomId || why) return;
            event.preventDefault();
            setOver(room);
          }}
          onDragLeave={() => setOver(undefined)}
          onDrop={(event) => {
            event.preventDefault();
            put(room);
          }}
        >
          <span className="row wrap between">
            <RoomName room={room} />
            <Beds living={room.living} capacity={room.capacity} />
          </span>
          {room.people.length === 0 && <span className="sub fs-13">空置</span>}
          {placed([room]).map((p) => (
            <button
              key={p.id}
              type="button"
              draggable={!why}
              className={`board__card ${held?.id === p.id ? "on" : ""}`}
              aria-pressed={held?.id === p.id}
              title={why ?? "拖到另一间房，或按一下再点另一间房的“换到这里”"}
              onClick={() => setHeld(held?.id === p.id ? undefined : p)}
              onDragStart={() => setHeld(p)}
              onDragEnd={() => setHeld(undefined)}
            >
              {p.name}
            </button>
          ))}
          {held && held.roomId !== room.roomId && (
            <Button size="sm" why={why} run={() => put(room)}>
              换到这里
            </Button>
          )}
        </section>
      ))}
    </div>
  );
}
