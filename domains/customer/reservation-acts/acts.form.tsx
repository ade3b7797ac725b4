import { yuan } from "../../../platform/kernel/fen.ts";
import { addDays, maxDay } from "../../../platform/kernel/day.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import {
  cancelReservation,
  changeReservedRoom,
  extendReservation,
  forfeitReservation,
  restoreReservation,
} from "./acts.contract.ts";
import type { listReservations } from "../reservation/reservation.contract.ts";
import { USUAL_DAYS, rentText } from "../reservation/reservation.rules.ts";
import { FreeRoomInput, RentInput } from "../reservation/reservation.form.tsx";

export type Acted = Pick<
  Row<typeof listReservations>,
  | "id"
  | "number"
  | "villageId"
  | "roomName"
  | "partyName"
  | "moveInDay"
  | "plannedEndDay"
  | "holdUntil"
  | "rent"
  | "unit"
  | "earnest"
  | "earnestKind"
  | "held"
  | "state"
  | "version"
>;
export type Props = { of: Acted; onClose: () => void };

export const ExtendForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={extendReservation}
    title={`延期 ${of.number}`}
    ok="延期"
    done="已延期"
    params={{ id: of.id }}
    initial={{ version: of.version, holdUntil: addDays(of.holdUntil, USUAL_DAYS) }}
    onClose={onClose}
    note={() => `原保留至 ${of.holdUntil}`}
    fields={["holdUntil"]}
  />
);

export const RestoreForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={restoreReservation}
    title={`恢复预订 ${of.number}`}
    ok="恢复"
    done="已恢复预订"
    params={{ id: of.id }}
    initial={{
      version: of.version,
      holdUntil: addDays(maxDay(today(), of.holdUntil), USUAL_DAYS),
    }}
    onClose={onClose}
    note={() => `${of.roomName} 仍空闲时重新保留`}
    fields={["holdUntil"]}
  />
);

export const ChangeRoomForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={changeReservedRoom}
    title={`换房间 ${of.number}`}
    ok="换房间"
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已换房间")}
    params={{ id: of.id }}
    initial={{ version: of.version, rent: of.rent, unit: of.unit }}
    width={520}
    onClose={onClose}
    note={({ rent, unit }) =>
      rent === undefined || !unit || (rent === of.rent && unit === of.unit)
        ? `原房间 ${of.roomName}`
        : unit === of.unit
          ? `租金差 ${rent > of.rent ? "+" : ""}${rentText({ rent: rent - of.rent, unit })}`
          : `原租金 ${rentText(of)}`
    }
    fields={[
      {
        key: "roomId",
        input: (p) => (
          <FreeRoomInput {...p} of={{ villageId: of.villageId, from: of.moveInDay, to: of.plannedEndDay }} />
        ),
      },
      { key: "rent", input: (p, now) => <RentInput {...p} unit={now.unit ?? "month"} /> },
      "unit",
    ]}
  />
);

/** 取消: what was paid goes back by a refund. */
export const CancelForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={cancelReservation}
    title={of.held > 0 ? `取消并退款 ${of.number}` : `取消预订 ${of.number}`}
    ok={of.held > 0 ? `申请退款 ${yuan(of.held)}` : "取消预订"}
    done={of.held > 0 ? "已取消，退款已提交到退款管理" : "已取消预订"}
    params={{ id: of.id }}
    initial={{ version: of.version, reason: "", refund: of.held > 0 }}
    onClose={onClose}
    note={() => `${of.roomName} 立即释放`}
    fields={["reason"]}
  />
);

export const ForfeitForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={forfeitReservation}
    title={`没收定金 ${of.number}`}
    ok={`没收 ${yuan(of.held)}`}
    params={{ id: of.id }}
    initial={{ version: of.version, reason: "" }}
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已没收，转违约金收入")}
    onClose={onClose}
    note={() => "转为违约金收入，房间立即释放"}
    fields={["reason"]}
  />
);
