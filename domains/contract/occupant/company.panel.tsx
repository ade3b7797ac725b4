import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { GENDERS } from "../../listing/room/words.rules.ts";
import { AddForm } from "./add.form.tsx";
import { ListForm } from "./list.form.tsx";
import { LeaveForm, MoveForm } from "./move.form.tsx";
import { applyOccupantList, companyRooms } from "./occupant.contract.ts";
import { type CompanyRoom, type Occupant, swapOf } from "./stay.rules.ts";
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

/** Full rooms are green, those above their capacity red. */
const Beds = ({ living, capacity }: { living: number; capacity: number }) => (
  <StatusTag tone={living > capacity ? "red" : living === capacity ? "green" : living ? "blue" : "grey"}>
    {living} / {capacity}
  </StatusTag>
);

const NEED = "11.edit";
type Open = "add" | "list" | "move" | "swap" | "leave";

/**
 * A company's rooms, or those of one of its contracts, side by side with whoever lives in them; people come, change places and go
 * without a new contract.
 */
export default function CompanyRooms({ id, contractId }: { id: number; contractId?: number }) {
  const { data: all, error, refetch } = useQuery(ask(companyRooms, { query: { companyId: id } }));
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<Open>();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!all) return <RowsSkeleton rows={4} />;
  const data = contractId === undefined ? all : all.filter((room) => room.contractId === contractId);
  if (!data.length) return <Empty text="没有在租房间" />;
  const people = data.flatMap((room): Occupant[] =>
    room.people.map((p) => ({ ...p, roomName: room.roomName })),
  );
  const chosen = people.filter((p) => picked.has(p.id));
  const none = chosen.length ? undefined : "请先勾选入住人";
  const close = () => setOpen(undefined);
  const done = () => setPicked(new Set());
  const living = data.reduce((sum, room) => sum + room.living, 0);
  const beds = data.reduce((sum, room) => sum + room.capacity, 0);
  const form = { companyId: id, rooms: data, people: chosen, onDone: done, onClose: close };
  return (
    <>
      <div className="row wrap between">
        <span className="occupants__sum">
          共 {data.length} 间，已住 <b>{living}</b> / 可住 {beds} 人
          {chosen.length > 0 && <span className="dim">，已选 {chosen.length} 人</span>}
        </span>
        <ActionButtons
          actions={[
            { label: "新增入住人", icon: "plus", need: NEED, run: () => setOpen("add") },
            { label: "粘贴名单", does: applyOccupantList, run: () => setOpen("list") },
            { label: "换房", need: NEED, why: none, run: () => setOpen("move") },
            { label: "对调", need: NEED, why: none ?? swapOf(chosen).why, run: () => setOpen("swap") },
            { label: "搬离", need: NEED, why: none, danger: true, run: () => setOpen("leave") },
          ]}
        />
      </div>
      <RoomGrid rooms={data} picked={picked} pick={setPicked} />
      {open === "add" && <AddForm {...form} />}
      {open === "list" && <ListForm {...form} />}
      {open === "move" && <MoveForm {...form} />}
      {open === "swap" && <MoveForm {...form} swap />}
      {open === "leave" && <LeaveForm {...form} />}
    </>
  );
}
