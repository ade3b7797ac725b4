import { Checkbox } from "antd";
import { Link } from "react-router";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { GENDERS } from "../../listing/room/words.rules.ts";
import type { CompanyRoom } from "./who.rules.ts";

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
                    {p.name} <span className="dim">{[p.phone, p.certNo].filter(Boolean).join(" ")}</span>{" "}
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

/** Full rooms are green, those above their capacity red. */
const Beds = ({ living, capacity }: { living: number; capacity: number }) => (
  <StatusTag tone={living > capacity ? "red" : living === capacity ? "green" : living ? "blue" : "grey"}>
    {living} / {capacity}
  </StatusTag>
);
