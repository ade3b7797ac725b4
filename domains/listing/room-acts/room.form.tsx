import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { ProductInput } from "../product/choice.panel.tsx";
import { FollowOutlook, RoomPriceOutlook } from "../pricing/outlook.panel.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { followProduct, roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import { editRoom, room } from "./room.contract.ts";

/** Everything of a room that may be changed without moving or dividing it. */
export function RoomForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery(ask(room, { params: { id } }));
  return data ? <Loaded record={data} onClose={onClose} /> : null;
}

function Loaded({ record, onClose }: { record: Reply<typeof room>; onClose: () => void }) {
  const isTop = record.parentRoomId === null && !["room", "bed"].includes(record.kind);
  return (
    <FormDrawer
      call={editRoom}
      params={{ id: record.id }}
      initial={
        {
          ...record,
          pictures: record.pictureIds,
        } as never
      }
      title={`编辑 ${record.fullName}`}
      onDone={({ examineNo }) => toast(examineNo ? `已保存，恢复跟随产品已提交审批 ${examineNo}` : "已保存")}
      cols={2}
      width={760}
      fields={[
        { section: "房间" },
        { key: "name", disabled: isTop, ...(isTop && { help: "整套的名称就是门牌，请在房源中修改" }) },
        "area",
        {
          key: "orientation",
          input: (p) => <DicInput {...p} kind="house" group="orientation" />,
        },
        { key: "capacity", unit: "人" },
        "minTermMonths",
        { key: "sort", help: "同一套内的顺序" },
        { section: "产品与定价" },
        {
          key: "productId",
          input: (p) => <ProductInput {...p} kind={record.kind} villageId={record.villageId} />,
        },
        {
          key: "priceMode",
          when: (values: { productId?: number | null }) => Boolean(values.productId),
          help: "跟随产品后，价格从今天起与产品一致，并随产品调价",
        },
        {
          key: "reason",
          when: (values: { productId?: number | null; priceMode?: string }) =>
            Boolean(values.productId) &&
            values.priceMode === "follow" &&
            (record.priceMode !== "follow" || values.productId !== record.productId),
          help: "改为跟随产品需要审批时填写",
        },
        { section: "配置" },
        {
          key: "facilities",
          wide: true,
          input: (p) => <DicsInput {...p} kind="facility" group="room" villageId={record.villageId} />,
        },
        {
          key: "tags",
          wide: true,
          input: (p) => (
            <DicsInput {...p} kind="house" group="roomTag" free placeholder="选择或输入，最多 10 个" />
          ),
        },
        { key: "description", wide: true },
        { key: "remark", wide: true },
        { section: "图片" },
        { key: "pictures", title: "图片", wide: true, input: (p) => <PicturesInput {...p} /> },
      ]}
      onClose={onClose}
    />
  );
}

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
