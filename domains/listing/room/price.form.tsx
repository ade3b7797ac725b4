import { useState } from "react";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { followProduct, roomPrices, setRoomPrice } from "./price.contract.ts";
import { FollowOutlook, RoomPriceOutlook } from "./outlook.panel.tsx";

type Room = { id: number; fullName: string };
type Props = { room: Room; onClose: () => void };

const REASON = { key: "reason", title: "调价原因", wide: true, help: "需要审批，2 到 200 个字" } as const;
const told = (examineNo: string | null, done: string) =>
  toast(examineNo ? `已提交审批 ${examineNo}，通过后生效` : done);

/** A price from a day on, starting from the one that holds today; before it is sent one sees what comes of it. */
export function PriceForm({ room, onClose }: Props) {
  const today = useOperator()?.today;
  const [waits, setWaits] = useState(false);
  const { data } = useCurrent(ask(roomPrices, { params: { id: room.id } }));
  if (!data) return null;
  const now = data.find((p) => p.current) ?? data.at(-1);
  return (
    <FormDialog
      call={setRoomPrice}
      params={{ id: room.id }}
      initial={{
        ...(now && { listPrice: now.listPrice, lowestPrice: now.lowestPrice ?? null, unit: now.unit }),
        ...(today && { effectiveDay: today }),
      }}
      title={`改价 ${room.fullName}`}
      ok={waits ? "提交审批" : "改价"}
      width={520}
      fields={[
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        "unit",
        { key: "effectiveDay", help: "不早于今天；已签合同和已有预订不变" },
        ...(waits ? [REASON] : []),
      ]}
      note={(values) => <RoomPriceOutlook id={room.id} values={values} onWaits={setWaits} />}
      onDone={({ examineNo }) => told(examineNo, "价格已修改")}
      onClose={onClose}
    />
  );
}

/** Takes the price of the product again, from today on. */
export function FollowForm({ room, onClose }: Props) {
  const [waits, setWaits] = useState(false);
  return (
    <FormDialog
      call={followProduct}
      params={{ id: room.id }}
      title={`恢复跟随产品 ${room.fullName}`}
      ok={waits ? "提交审批" : "恢复跟随产品"}
      width={520}
      fields={waits ? [REASON] : []}
      note={() => <FollowOutlook id={room.id} onWaits={setWaits} />}
      onDone={({ examineNo }) => told(examineNo, "已恢复跟随产品")}
      onClose={onClose}
    />
  );
}
