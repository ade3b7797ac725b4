import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { AddForm } from "./add.form.tsx";
import { ListForm } from "./list.form.tsx";
import { LeaveForm, MoveForm } from "./move.form.tsx";
import { applyOccupantList, companyRooms } from "./occupant.contract.ts";
import { RoomGrid, RoomTiles } from "./rooms.panel.tsx";
import { placed, swapOf } from "./stay.rules.ts";

const NEED = "11.edit";
const LOOKS = [
  ["table", "列表"],
  ["tiles", "图块"],
] as const;
type Open = "add" | "list" | "move" | "swap" | "leave";

/**
 * A company's rooms, or those of one of its contracts, side by side with whoever lives in them; people come, change places and go
 * without a new contract.
 */
export default function CompanyRooms({ id, contractId }: { id: number; contractId?: number }) {
  const { data: all, error, refetch } = useQuery(ask(companyRooms, { query: { companyId: id } }));
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<Open>();
  const [to, setTo] = useState<number>();
  const [address, set] = useAddress();
  if (error) return <Broken error={error} retry={refetch} />;
  if (!all) return <RowsSkeleton rows={4} />;
  const data = contractId === undefined ? all : all.filter((room) => room.contractId === contractId);
  if (!data.length) return <Empty text="没有在租房间" />;
  const people = placed(data);
  const chosen = people.filter((p) => picked.has(p.id));
  const none = chosen.length ? undefined : "请先勾选入住人";
  const close = () => {
    setOpen(undefined);
    setTo(undefined);
  };
  const tiles = address.get("look") === "tiles";
  const done = () => setPicked(new Set());
  const living = data.reduce((sum, room) => sum + room.living, 0);
  const beds = data.reduce((sum, room) => sum + room.capacity, 0);
  const form = { companyId: id, rooms: data, people: chosen, onDone: done, onClose: close };
  return (
    <div className="stack gap-3">
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
      <div className="row">
        <Segments
          label="样式"
          items={LOOKS}
          on={tiles ? "tiles" : "table"}
          onChange={(look) => set({ look: look === "tiles" ? look : undefined })}
        />
      </div>
      {tiles ? (
        <RoomTiles
          rooms={data}
          why={may(NEED) ? undefined : "没有修改企业合同的权限"}
          move={(person, room) => {
            setPicked(new Set([person.id]));
            setTo(room.roomId);
            setOpen("move");
          }}
        />
      ) : (
        <RoomGrid rooms={data} picked={picked} pick={setPicked} />
      )}
      {open === "add" && <AddForm {...form} />}
      {open === "list" && <ListForm {...form} />}
      {open === "move" && <MoveForm {...form} to={to} />}
      {open === "swap" && <MoveForm {...form} swap />}
      {open === "leave" && <LeaveForm {...form} />}
    </div>
  );
}
