import { useState, type ReactNode } from "react";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog, confirm } from "../../../platform/console/parts/dialog.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Day } from "../../../platform/kernel/day.ts";
import { liftRooms } from "../block/block.contract.ts";
import { addTurnovers, finishRooms } from "../turnover/turnover.contract.ts";
import { BlockForm } from "../block/block.form.tsx";
import { BatchForm } from "../room-acts/room.form.tsx";
import { HoldForm } from "../sync/hold.form.tsx";
import { BATCH_ACTS, type BatchAct, type Tile, whyNot } from "./board.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Refused = { roomId: number; roomName: string; why: string };
const MOST = 500;
const PRICES = "/configuration/BatchAdjustPrice";

/** Shows which rooms stand in the way, with the way to go on without them. */
function RefusedDialog({
  refused,
  title,
  onDrop,
  onClose,
}: {
  refused: readonly Refused[];
  title: string;
  onDrop: (() => void) | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={`${title}：${refused.length} 间房不符合`}
      width={520}
      onClose={onClose}
      footer={
        <Foot cancel={onClose} word="关闭">
          {onDrop && (
            <Button look="main" run={onDrop}>
              从所选中去掉
            </Button>
          )}
        </Foot>
      }
    >
      <ul className="rb__refused">
        {refused.map((r) => (
          <li key={r.roomId}>
            <b>{r.roomName}</b>
            <span>{r.why}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type Acting = {
  today: Day;
  /** Why nothing can be done on the day that is looked at. */
  why: string | undefined;
  onDone: () => void;
  onDrop?: (ids: readonly number[]) => void;
};
type RoomBatch = Batch<Tile>[];

/**
 * What can be done with many rooms, the same on the board and in its list, and the form that is open for it. Nothing is
 * done before every one of them can take it.
 */
export function useRoomBatch({ today, why, onDone, onDrop }: Acting): [RoomBatch, ReactNode] {
  const act = useAct();
  const go = useGo();
  const [address] = useAddress();
  const [form, setForm] = useState<{ what: "block" | "tags" | "hold"; tiles: readonly Tile[] }>();
  const [refused, setRefused] = useState<{ title: string; rooms: readonly Refused[] }>();
  const close = () => setForm(undefined);
  const fits = (kind: BatchAct, tiles: readonly Tile[]) => {
    const rooms = tiles.flatMap((t) => {
      const against = whyNot(kind, t);
      return against ? [{ roomId: t.id, roomName: t.name, why: against }] : [];
    });
    if (rooms.length) setRefused({ title: BATCH_ACTS[kind], rooms });
    return rooms.length === 0;
  };
  const start = async (kind: Exclude<BatchAct, "block">, tiles: readonly Tile[]) => {
    if (!fits(kind, tiles)) return;
    const roomIds = tiles.map((t) => t.id);
    const title = BATCH_ACTS[kind];
    const run = async () => {
      if (kind === "lift") await act(liftRooms, { body: { roomIds } }, { done: "已解除封房" });
      else if (kind === "clean")
        await act(finishRooms, { body: { roomIds, doneDay: today } }, { done: "已完成保洁" });
      else await act(addTurnovers, { body: { roomIds } }, { done: "已置为待保洁" });
    };
    if (await confirm({ title, body: `对所选 ${tiles.length} 间房${title}，确定吗？`, run })) onDone();
  };
  const limited = (tiles: readonly Tile[]) => (tiles.length > MOST ? `一次最多${MOST}间` : why);
  const batch: RoomBatch = [
    {
      label: BATCH_ACTS.block,
      need: "3.edit" as const,
      why: limited,
      run: (tiles: readonly Tile[]) => fits("block", tiles) && setForm({ what: "block", tiles }),
    },
    ...(["lift", "clean", "soil"] as const).map((kind) => ({
      label: BATCH_ACTS[kind],
      need: "3.edit" as const,
      why: limited,
      run: (tiles: readonly Tile[]) => start(kind, tiles),
    })),
    reach(PRICES) !== undefined && {
      label: "改价",
      need: "6.edit" as const,
      why: (tiles: readonly Tile[]) => (tiles.length > MOST ? `一次最多${MOST}间` : undefined),
      run: (tiles: readonly Tile[]) =>
        go(PRICES, {
          draft: "new",
          villageId: address.get("villageId"),
          rooms: tiles.map((t) => t.id),
        }),
    },
    {
      label: "暂不发布",
      need: "67.edit" as const,
      why: (tiles: readonly Tile[]) => (tiles.length > MOST ? `一次最多${MOST}间` : undefined),
      run: (tiles: readonly Tile[]) => setForm({ what: "hold", tiles }),
    },
    {
      label: "打标签",
      need: "6.edit" as const,
      why: (tiles: readonly Tile[]) => (tiles.length > MOST ? `一次最多${MOST}间` : undefined),
      run: (tiles: readonly Tile[]) => setForm({ what: "tags", tiles }),
    },
  ].filter((b) => b !== false);
  const layer = (
    <>
      {form?.what === "block" && (
        <BlockForm rooms={form.tiles} today={today} onClose={close} onDone={onDone} />
      )}
      {form?.what === "tags" && <BatchForm ids={form.tiles.map((t) => t.id)} what="tags" onClose={close} />}
      {form?.what === "hold" && (
        <HoldForm
          title={`暂不发布 ${form.tiles.length} 间`}
          note="所选房间从全部渠道下架，恢复前不再发布"
          body={{ roomIds: form.tiles.map((t) => t.id) }}
          onClose={close}
          onDone={onDone}
        />
      )}
      {refused && (
        <RefusedDialog
          title={refused.title}
          refused={refused.rooms}
          onClose={() => setRefused(undefined)}
          onDrop={
            onDrop &&
            (() => {
              onDrop(refused.rooms.map((r) => r.roomId));
              setRefused(undefined);
            })
          }
        />
      )}
    </>
  );
  return [batch, layer];
}

type Props = {
  tiles: readonly Tile[];
  today: Day;
  why: string | undefined;
  onDrop: (ids: readonly number[]) => void;
  onClear: () => void;
  onExport: () => unknown;
};

/** The bar under the board while rooms are chosen. */
export function BatchBar({ tiles, today, why, onDrop, onClear, onExport }: Props) {
  const [batch, layer] = useRoomBatch({ today, why, onDone: onClear, onDrop });
  return (
    <div className="rb__batch row wrap" role="region" aria-label="批量操作">
      <span>
        已选 <b>{tiles.length}</b> 间
      </span>
      <ActionButtons
        actions={[
          ...batch.map((b) => ({
            label: b.label,
            ...(b.need && { need: b.need }),
            why: b.why?.(tiles),
            run: () => b.run(tiles),
          })),
          { label: "导出", need: "3.export", run: onExport },
        ]}
      />
      <Button look="text" run={onClear}>
        取消选择
      </Button>
      {layer}
    </div>
  );
}
