import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { AddForm } from "./add.form.tsx";
import { RoomGrid } from "./grid.panel.tsx";
import { LeaveForm, MoveForm } from "./move.form.tsx";
import { ListForm } from "./list.form.tsx";
import { companyRooms } from "./occupant.contract.ts";
import { swapOf, type Occupant } from "./who.rules.ts";
import "../contract/contract.css";

const NEED = "11.edit";
type Open = "add" | "list" | "move" | "swap" | "leave";

/** A company's rooms side by side with whoever lives in them; people come, change places and go without a new contract. */
export default function CompanyRooms({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(companyRooms, { query: { companyId: id } }));
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<Open>();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
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
      <div className="party__tools">
        <span className="occupants__sum">
          共 {data.length} 间，已住 <b>{living}</b> / 可住 {beds} 人
          {chosen.length > 0 && <span className="dim">，已选 {chosen.length} 人</span>}
        </span>
        <ActionButtons
          actions={[
            { label: "新增入住人", icon: "plus", need: NEED, run: () => setOpen("add") },
            { label: "粘贴名单", need: NEED, run: () => setOpen("list") },
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
