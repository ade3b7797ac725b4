import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog, FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { ProductInput } from "../product/choice.panel.tsx";
import { FollowOutlook, RoomPriceOutlook } from "../pricing/outlook.panel.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { followProduct, roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import { editRoom, room, addRoom, editRooms } from "./room.contract.ts";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import type { RoomKind } from "../room/words.rules.ts";
import "../room/places.css";

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
          help: "跟随产品后，价格从今天起与产品一致，并随产品调价；另定的以后的价格取消",
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
  const today = useToday();
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
        effectiveDay: today,
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

type Flat = {
  id: number;
  villageId: number;
  fullName: string;
  rentMode: string;
  rooms: readonly { id: number; name: string; kind: string }[];
};

/** One more room of a divided flat, or a bed in one of its rooms. */
export function AddRoomForm({ flat, onClose }: { flat: Flat; onClose: () => void }) {
  const rooms = flat.rooms.filter((room) => room.kind === "room");
  return (
    <FormDrawer
      call={addRoom}
      initial={{ apartmentId: flat.id, unit: "month", capacity: flat.rentMode === "bed" ? 1 : 2 }}
      title={`${flat.fullName} ${flat.rentMode === "bed" ? "加床位" : "加房间"}`}
      done="已新增"
      cols={2}
      width={720}
      fields={[
        "name",
        ...(rooms.length ? [within(rooms)] : []),
        "area",
        { key: "capacity", unit: "人" },
        {
          key: "orientation",
          input: (p) => <DicInput {...p} kind="house" group="orientation" />,
        },
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        "unit",
        { key: "firstDay", help: "不填为今天" },
        {
          key: "facilities",
          wide: true,
          input: (p) => <DicsInput {...p} kind="facility" group="room" villageId={flat.villageId} />,
        },
        {
          key: "tags",
          wide: true,
          input: (p) => (
            <DicsInput {...p} kind="house" group="roomTag" free placeholder="选择或输入，最多 10 个" />
          ),
        },
        { key: "remark", wide: true },
      ]}
      onClose={onClose}
    />
  );
}

/** The room that a bed stands in. */
const within = (rooms: Flat["rooms"]): Field<Body<typeof addRoom>> => {
  const words = Object.fromEntries(rooms.map((room) => [room.id, [room.name, "grey"] as const]));
  return {
    key: "parentRoomId",
    title: "所在房间",
    help: "选择后新增的是这个房间里的床位",
    input: (p) => (
      <ChoiceInput
        {...p}
        clear
        value={p.value === undefined ? undefined : String(p.value)}
        onChange={(next) => p.onChange(next ? Number(next) : undefined)}
        words={words}
      />
    ),
  };
};

const MODES = { add: ["增加", "grey"], remove: ["移除", "grey"], replace: ["替换为", "grey"] } as const;
type Mode = keyof typeof MODES;
const TITLES = { tags: "标签", facilities: "设施", pictures: "图片" } as const;

/** The same change for all picked rooms, all or none. */
export function BatchForm({
  ids,
  what,
  onClose,
}: {
  ids: number[];
  what: keyof typeof TITLES;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const [mode, setMode] = useState<Mode>("add");
  const [words, setWords] = useState<string[]>([]);
  const [pictures, setPictures] = useState<number[]>([]);
  const empty = what === "pictures" ? !pictures.length : !words.length;
  const save = async () => {
    const change = what === "pictures" ? { mode, values: pictures } : { mode, values: words };
    await send(editRooms, { body: { ids, [what]: change } });
    toast(`已修改 ${ids.length} 间`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      <Button look="main" why={empty && mode !== "replace" ? `请填写${TITLES[what]}` : undefined} run={save}>
        修改 {ids.length} 间
      </Button>
    </Foot>
  );
  return (
    <Dialog title={`批量修改${TITLES[what]}`} width={560} footer={footer} onClose={onClose}>
      <div className="copying grid gap-6 sub">
        <label htmlFor="batch-mode">方式</label>
        <ChoiceInput
          id="batch-mode"
          value={mode}
          words={MODES}
          onChange={(next) => setMode((next ?? "add") as Mode)}
        />
        <label htmlFor="batch-what">{TITLES[what]}</label>
        {what === "tags" && (
          <DicsInput
            id="batch-what"
            kind="house"
            group="roomTag"
            free
            value={words}
            onChange={(next) => setWords(next ?? [])}
          />
        )}
        {what === "facilities" && (
          <DicsInput
            id="batch-what"
            kind="facility"
            group="room"
            value={words}
            onChange={(next) => setWords(next ?? [])}
          />
        )}
        {what === "pictures" && (
          <PicturesInput id="batch-what" value={pictures} onChange={(next) => setPictures(next ?? [])} />
        )}
      </div>
      {what === "pictures" && <p className="dim">图片只能设置给同一门店的房间</p>}
    </Dialog>
  );
}

type BatchRoom = { id: number; kind: RoomKind; villageId: number };

/** Another product for all picked rooms, or none; all or none of them. */
export function BatchProductForm({ rooms, onClose }: { rooms: readonly BatchRoom[]; onClose: () => void }) {
  const refresh = useRefresh();
  const [productId, setProductId] = useState<number>();
  const [first] = rooms;
  if (!first) return null;
  const mixed = rooms.some((room) => room.kind !== first.kind);
  const save = async () => {
    await send(editRooms, { body: { ids: rooms.map((room) => room.id), productId: productId ?? null } });
    toast(`已修改 ${rooms.length} 间`);
    onClose();
    await refresh();
  };
  const footer = (
    <Foot cancel={onClose}>
      <Button look="main" why={mixed ? "所选房间的类型不同，请分别修改" : undefined} run={save}>
        修改 {rooms.length} 间
      </Button>
    </Foot>
  );
  return (
    <Dialog title="批量修改产品" width={560} footer={footer} onClose={onClose}>
      <div className="copying grid gap-6 sub">
        <label htmlFor="batch-product">产品</label>
        <ProductInput
          id="batch-product"
          kind={first.kind}
          villageId={first.villageId}
          value={productId}
          onChange={setProductId}
          onBlur={() => undefined}
        />
      </div>
      <p className="dim">
        有自有价格的房间保留自有价格；跟随产品的房间从今天起跟随所选产品。不选则不再关联产品
      </p>
    </Dialog>
  );
}
