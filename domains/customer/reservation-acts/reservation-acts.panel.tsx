import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { download, send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { convertReservation, forfeitReservation, restoreReservation } from "./acts.contract.ts";
import {
  reservationPaper,
  type listReservations,
  sendReservationPaper,
} from "../reservation/reservation.contract.ts";
import { CancelForm, ChangeRoomForm, ExtendForm, ForfeitForm, RestoreForm } from "./acts.form.tsx";
import { PayForm } from "./pay.form.tsx";
import { CONTRACT_ADD, RESERVATION_MOVES } from "../reservation/reservation.rules.ts";

export type ReservationRow = Row<typeof listReservations>;
const FORMS = {
  pay: PayForm,
  extend: ExtendForm,
  restore: RestoreForm,
  changeRoom: ChangeRoomForm,
  cancel: CancelForm,
  forfeit: ForfeitForm,
} as const;
export type ActKey = keyof typeof FORMS | "convert";
const REFUNDS = "/accountManage/RefundManage";

export type ReservationActs = {
  of: (r: ReservationRow) => Actions;
  /** Starts one of them from elsewhere, such as the room's drawer. */
  start: (key: ActKey, r: ReservationRow) => void | Promise<void>;
  layer: ReactNode;
};

/** What can be done with a reservation, with the sentence where it cannot, and the layer that an act has opened. */
export function useReservationActs(): ReservationActs {
  const act = useAct();
  const go = useGo();
  const [open, setOpen] = useState<{ key: keyof typeof FORMS; of: ReservationRow }>();

  const convert = async (r: ReservationRow) => {
    const known = await send(convertReservation, { params: { id: r.id }, body: { version: r.version } });
    const { kind, villageId, partyId, roomId, start, end, rent, unitPrice, payPlan, channel, agentId } =
      known;
    go(CONTRACT_PAGE[kind], {
      draft: "new",
      villageId,
      partyId,
      roomId,
      start,
      ...(end && { end }),
      rent,
      ...(unitPrice && { unitPrice }),
      ...(payPlan && { payPlan }),
      ...(channel && { channel }),
      ...(agentId && { agentId }),
    });
  };
  const start = (key: ActKey, of: ReservationRow) => (key === "convert" ? convert(of) : setOpen({ key, of }));

  const of = (r: ReservationRow): Actions => {
    const why = (move: Parameters<typeof RESERVATION_MOVES.refusal>[0]) =>
      r.frozen ? "审批中，不能修改" : RESERVATION_MOVES.refusal(move, { ...r, status: r.state });
    const open = r.state === "pending" || r.state === "held";
    return [
      r.state === "held" &&
        reach(CONTRACT_PAGE[r.partyKind]) !== undefined && {
          label: "转合同",
          need: CONTRACT_ADD[r.partyKind],
          why: why("convert"),
          run: () => convert(r),
        },
      (r.state === "pending" || (r.state === "lapsed" && r.held === 0 && r.earnest > 0)) &&
        r.earnest > 0 && {
          label: `收${r.earnestKind}`,
          need: "102.add",
          why: why("pay"),
          run: () => start("pay", r),
        },
      r.refundId !== null &&
        reach(REFUNDS) !== undefined && {
          label: "查看退款",
          run: () => go(REFUNDS, { id: r.refundId }),
        },
      r.state === "held" && {
        label: "延期",
        need: "15.edit",
        why: why("extend"),
        run: () => start("extend", r),
      },
      r.state === "held" && {
        label: "换房间",
        need: "15.edit",
        why: why("changeRoom"),
        run: () => start("changeRoom", r),
      },
      r.state === "lapsed" && {
        label: "恢复预订",
        does: restoreReservation,
        why: why("restore"),
        run: () => start("restore", r),
      },
      (open || (r.state === "lapsed" && r.held > 0)) && {
        label: r.held > 0 ? "取消并退款" : "取消预订",
        need: "15.edit",
        danger: true,
        why: r.state === "pending" ? undefined : why(r.held > 0 ? "refund" : "giveUp"),
        run: () => start("cancel", r),
      },
      (r.state === "held" || r.state === "lapsed") &&
        r.held > 0 && {
          label: "没收定金",
          does: forfeitReservation,
          danger: true,
          why: why("forfeit"),
          run: () => start("forfeit", r),
        },
      {
        label: "打印预订单",
        does: reservationPaper,
        run: () => download(reservationPaper, { params: { id: r.id } }),
      },
      {
        label: "发送预订单",
        does: sendReservationPaper,
        run: async () => {
          const reply = await act(
            sendReservationPaper,
            { params: { id: r.id } },
            {
              ask: {
                title: "发送预订单",
                body: `把预订单作为邮件附件发送给${r.partyName}，确定吗？`,
                ok: "发送",
              },
            },
          );
          if (reply)
            toast(reply.sent ? "预订单已发送" : "今天已发送过这份预订单", reply.sent ? "success" : "info");
        },
      },
    ];
  };

  const Form = open && FORMS[open.key];
  return {
    of,
    start,
    layer: Form && <Form of={open.of} onClose={() => setOpen(undefined)} />,
  };
}
