import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { ProductInput } from "../product/choice.panel.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { editRooms } from "./room.contract.ts";
import type { RoomKind } from "../room/words.rules.ts";
import "../room/places.css";

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

type Room = { id: number; kind: RoomKind; villageId: number };

/** Another product for all picked rooms, or none; all or none of them. */
export function BatchProductForm({ rooms, onClose }: { rooms: readonly Room[]; onClose: () => void }) {
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
