import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { ProductInput } from "../product/choice.panel.tsx";
import { editRooms } from "./room.contract.ts";
import type { RoomKind } from "./words.rules.ts";
import "../village/village.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

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
