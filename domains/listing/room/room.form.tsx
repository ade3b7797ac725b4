import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { PicturesInput } from "./pictures.panel.tsx";
import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { ProductInput } from "../product/choice.panel.tsx";
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
