import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { useGo } from "../../../platform/console/screens/page.ts";
import { codeAct } from "../qrcode/codes.panel.tsx";
import type { Condition } from "../status/status.rules.ts";
import { PriceForm, RoomForm } from "./room.form.tsx";
import { deleteRoom, disableRoom, enableRoom, retireRoom } from "./room.contract.ts";

type Room = {
  id: number;
  fullName: string;
  version: number;
  condition: Condition | null;
  retiredDay: string | null;
};
type Open = { what: "edit" | "price" | "disable" | "retire"; room: Room };

/** What can be done with a room, the same in its row and on its own page; and the form that is open for it. */
export function useRoomActs(onGone?: () => void): [(room: Room) => Actions, ReactNode] {
  const act = useAct();
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const actsOf = (room: Room): Actions => {
    const gone = room.retiredDay ? `已注销（${room.retiredDay} 起）` : undefined;
    const form = (what: Open["what"]) => () => setOpen({ what, room });
    return [
      { label: "编辑", need: "6.edit", why: gone, run: form("edit") },
      { label: "改价", need: "6.edit", why: gone, run: form("price") },
      {
        label: "资产",
        need: "6.edit",
        run: () => go("/configuration/ApartmentManage", { view: "room", id: room.id, part: "assets" }),
      },
      codeAct("room", room.id),
      room.condition === "offline"
        ? {
            label: "启用",
            does: enableRoom,
            run: () =>
              act(
                enableRoom,
                { params: { id: room.id }, body: {} },
                { done: "已启用", ask: { title: "启用", body: `确定启用 ${room.fullName} 吗？` } },
              ),
          }
        : { label: "停用", does: disableRoom, why: gone, run: form("disable") },
      { label: "注销", does: retireRoom, why: gone, run: form("retire") },
      deleteAction(deleteRoom, room, {
        title: "删除房间",
        body: `确定删除 ${room.fullName} 吗？有合同、账单等记录的房间不能删除，可以停用或注销。`,
        gone: () => onGone?.(),
      }),
    ];
  };
  const close = () => setOpen(undefined);
  const layer = open && <ActForm {...open} onClose={close} />;
  return [actsOf, layer];
}

function ActForm({ what, room, onClose }: Open & { onClose: () => void }) {
  const today = useToday();
  return (
    <>
      {what === "edit" && <RoomForm id={room.id} onClose={onClose} />}
      {what === "price" && <PriceForm room={room} onClose={onClose} />}
      {what === "disable" && (
        <FormDialog
          call={disableRoom}
          params={{ id: room.id }}
          initial={{ from: today }}
          title={`停用 ${room.fullName}`}
          ok="停用"
          done="已停用"
          fields={["from", { key: "to", help: "不填则停用到再次启用为止" }, "reason"]}
          onClose={onClose}
        />
      )}
      {what === "retire" && (
        <FormDialog
          call={retireRoom}
          params={{ id: room.id }}
          initial={{ version: room.version, day: today }}
          title={`注销 ${room.fullName}`}
          ok="注销"
          done="已注销"
          fields={[
            { key: "day", help: "从这一天起不再计入房源，历史保留；之后不能有租约、预订或封房" },
            "reason",
          ]}
          onClose={onClose}
        />
      )}
    </>
  );
}
