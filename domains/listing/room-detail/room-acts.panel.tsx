import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ActionButtons, permitted, type Action } from "../../../platform/console/parts/actions.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { useGo, usePage, type Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { BlockEndForm, BlockForm } from "../block/block.form.tsx";
import { liftRooms } from "../block/block.contract.ts";
import { CleaningForm } from "../turnover/checklist.form.tsx";
import { addTurnovers } from "../turnover/turnover.contract.ts";
import { HoldForm } from "../sync/hold.form.tsx";
import { holdListings } from "../sync/listing.contract.ts";
import { useRoomActs } from "../room-acts/acts.panel.tsx";
import { contractPage, type Signing, signings } from "../room/renting.rules.ts";
import { contractActs, type Started, tenantActs } from "./contract-acts.rules.ts";
import type { RoomDetail } from "./detail.contract.ts";

const COUNTER = "/accountManage/addBillFlow";
const BOARD = "/configuration/apartment";
const ROOMS = "/configuration/ApartmentManage";
const BOOKING = "/configuration/BookingManagement";
const MESSAGES = "/configuration/MessageManagement";
/** What is said to whoever lives there. */
const SAID: Partial<Record<string, string>> = {
  occupied: "发消息",
  expiring: "到期提醒",
  holdingOver: "催办",
};
type Open = "block" | "end" | "clean" | "hold";

/** What is sensible to do with the room as it stands, the main thing first; then what can always be done with it. */
export function RoomActs({ room, onGone }: { room: RoomDetail; onGone: () => void }) {
  const act = useAct();
  const { path: here } = usePage();
  const [always, layer] = useRoomActs(onGone);
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const { contract, block, turnover } = room;
  const occupancy = room.occupancy?.value;
  const condition = room.condition?.value ?? null;

  const to = (label: string, need: Action["need"], path: string, query: Patch): Action | false =>
    reach(path) !== undefined && { label, ...(need && { need }), run: () => go(path, query) };
  const started = ({ label, need, path, query }: Started) => to(label, need, path, query);
  const [usual, firm] = signings(room.kind);
  const signed = ({ kind, need }: Signing, label: string) =>
    to(label, need, contractPage(kind), { draft: "new", villageId: room.villageId, roomId: room.id });
  const sign = (label = usual.label) => signed(usual, label);
  const signFirm = firm !== undefined && signed(firm, firm.label);
  const ofContract = contract && contractActs(contract);
  const see = ofContract && started(ofContract.see);
  const collect =
    contract &&
    to(contract.arrearsFen ? `收款 ${yuan(contract.arrearsFen)}` : "收款", "102.add", COUNTER, {
      partyId: contract.partyId,
      roomId: room.id,
    });
  const { reservation } = room;
  const reserve = (label = "预订") =>
    to(label, "15.add", BOOKING, {
      tab: "reservation",
      reserve: 1,
      villageId: room.villageId,
      roomId: room.id,
    });
  const show = () =>
    to("预约看房", "15.add", BOOKING, {
      tab: "viewing",
      book: 1,
      villageId: room.villageId,
      roomId: room.id,
    });
  /** What is done with a reservation is done in its own list, which starts it. */
  const reserved = (label: string, need: Action["need"], act?: string) =>
    reservation !== null &&
    to(label, need, BOOKING, { tab: "reservation", id: reservation.id, ...(act && { act }) });
  const ofReservation = (): (Action | false)[] => {
    if (!reservation) return [];
    const look = reserved(`查看预订 ${reservation.number}`, "15.get");
    if (reservation.signing) return [look];
    if (reservation.state === "pending")
      return [
        reserved(`收${reservation.earnestKind}`, "102.add", "pay"),
        reserved("取消预订", "15.edit", "cancel"),
        look,
      ];
    return [
      reserved("转合同", ["9.add", "11.add", "107.add"], "convert"),
      reserved("延期", "15.edit", "extend"),
      reserved("换房间", "15.edit", "changeRoom"),
      reserved("取消预订", "15.edit", "cancel"),
      reservation.earnestKind === "定金" && reserved("没收定金", "#1503", "forfeit"),
      look,
    ];
  };
  const moveIn = ofContract && started(ofContract.moveIn);
  const voided = ofContract && started(ofContract.void);
  /** Staying, moving and leaving. */
  const tenant = contract && occupancy ? tenantActs(occupancy, contract).map(started) : [];
  const shut: Action = { label: "封房", need: "3.edit", run: () => setOpen("block") };
  const soil: Action = {
    label: "置为待保洁",
    does: addTurnovers,
    run: () =>
      act(
        addTurnovers,
        { body: { roomIds: [room.id] } },
        { done: "已置为待保洁", ask: { title: "置为待保洁", body: `${room.fullName} 需要保洁，确定吗？` } },
      ),
  };
  const lift: Action = {
    label: "解除封房",
    does: liftRooms,
    run: () =>
      confirm({
        title: "解除封房",
        body: `${room.fullName} 自今天起可租，确定吗？`,
        run: () => act(liftRooms, { body: { roomIds: [room.id] } }, { done: "已解除封房" }),
      }),
  };
  const end: Action | false = block !== null && {
    label: "改截止日",
    need: "3.edit",
    run: () => setOpen("end"),
  };
  const publish: Action = room.publishHold
    ? {
        label: "发布",
        does: holdListings,
        run: () => act(holdListings, { body: { roomIds: [room.id], hold: false } }, { done: "已恢复发布" }),
      }
    : { label: "暂不发布", need: "67.edit", run: () => setOpen("hold") };
  const cleaned: Action = { label: "完成保洁", need: "3.edit", run: () => setOpen("clean") };

  const standing = always({ ...room, condition });
  /** An empty room's price is one of the next things to look at. */
  const price = standing.find((a) => a && a.label === "改价") ?? false;

  const acts = (): (Action | false | null)[] => {
    if (!occupancy) return [];
    if (block) return [lift, end];
    if (occupancy === "vacant")
      return condition === "dirty"
        ? [cleaned, sign(), reserve(), shut]
        : [sign(), reserve(), show(), signFirm, price, shut, publish];
    if (occupancy === "reserved") return [...ofReservation(), see];
    if (occupancy === "expiring") return [...tenant, see, collect, reserve("预订下一租客")];
    if (occupancy === "holdingOver") return [...tenant, collect, see];
    if (occupancy === "toMoveIn") return [moveIn, collect, see, condition === "dirty" && cleaned, voided];
    if (occupancy === "leaving")
      return [...tenant, sign("预签下一租约"), see, collect, reserve("预订下一租客")];
    return contract !== null && contract.arrearsFen > 0
      ? [collect, ...tenant, see]
      : [see, ...tenant, collect];
  };
  const elsewhere =
    here === BOARD
      ? to("在房源列表中查看", "6.query", ROOMS, { view: "room", id: room.id })
      : to("在房态图中查看", "3.query", BOARD, { villageId: room.villageId, room: room.id });
  const say = occupancy && SAID[occupancy];
  const written =
    contract && say
      ? to(say, "18.add", MESSAGES, { tab: "tasks", write: contract.partyKind, ids: contract.partyId })
      : false;
  const next = permitted([...acts().map((a) => a || false), written]);
  const after = [
    occupancy === "vacant" && condition !== "dirty" && !block && soil,
    ...standing.filter((a) => !next.some((n) => a && n.label === a.label)),
    elsewhere,
  ];
  return (
    <>
      <ActionButtons
        actions={[...next.map((a, i) => ({ ...a, main: i === 0 })), ...after]}
        // one line of the drawer
        most={Math.min(6, Math.max(4, next.length + 2))}
      />
      {open === "block" && (
        <BlockForm
          rooms={[{ id: room.id, name: room.fullName }]}
          today={room.day}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "end" && block && <BlockEndForm block={block} onClose={() => setOpen(undefined)} />}
      {open === "hold" && (
        <HoldForm
          title={`暂不发布 ${room.fullName}`}
          note="该房间从全部渠道下架，恢复前不再发布"
          body={{ roomIds: [room.id] }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "clean" && turnover && (
        <CleaningForm turnover={turnover} today={room.day} onClose={() => setOpen(undefined)} />
      )}
      {layer}
    </>
  );
}
