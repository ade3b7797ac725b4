import { useState } from "react";
import { ActionButtons } from "../../../platform/console/actions.tsx";
import { Button } from "../../../platform/console/button.tsx";
import { Dialog, confirm } from "../../../platform/console/dialog.tsx";
import { useAct } from "../../../platform/console/act.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { liftRooms } from "../block/block.contract.ts";
import { addTurnovers, finishRooms } from "../turnover/turnover.contract.ts";
import { BlockForm } from "../block/block.form.tsx";
import { BATCH_ACTS, whyNot, type BatchAct } from "./batch.rules.ts";
import type { Tile } from "./board.rules.ts";

type Refused = { roomId: number; roomName: string; why: string };
const MOST = 500;

/** Shows which rooms stand in the way, with the way to go on without them. */
function RefusedDialog({
  refused,
  title,
  onDrop,
  onClose,
}: {
  refused: readonly Refused[];
  title: string;
  onDrop: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={`${title}：${refused.length} 间房不符合`}
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button look="main" run={onDrop}>
            从所选中去掉
          </Button>
          <Button run={onClose}>关闭</Button>
        </>
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

type Props = {
  tiles: readonly Tile[];
  today: Day;
  why: string | undefined;
  onDrop: (ids: readonly number[]) => void;
  onClear: () => void;
  onExport: () => unknown;
};

/** What can be done with the chosen rooms. Nothing is done before every one of them can take it. */
export function BatchBar({ tiles, today, why, onDrop, onClear, onExport }: Props) {
  const act = useAct();
  const [blocking, setBlocking] = useState(false);
  const [refused, setRefused] = useState<{ title: string; rooms: readonly Refused[] }>();
  const ids = tiles.map((t) => t.id);
  const tooMany = tiles.length > MOST ? `一次最多${MOST}间` : why;
  const fits = (kind: BatchAct) => {
    const rooms = tiles.flatMap((t) => {
      const against = whyNot(kind, t);
      return against ? [{ roomId: t.id, roomName: t.name, why: against }] : [];
    });
    if (rooms.length) setRefused({ title: BATCH_ACTS[kind], rooms });
    return rooms.length === 0;
  };
  const start = async (kind: Exclude<BatchAct, "block">) => {
    if (!fits(kind)) return;
    const title = BATCH_ACTS[kind];
    const run = async () => {
      if (kind === "lift") await act(liftRooms, { body: { roomIds: ids } }, { done: "已解除封房" });
      else if (kind === "clean")
        await act(finishRooms, { body: { roomIds: ids, doneDay: today } }, { done: "已完成保洁" });
      else await act(addTurnovers, { body: { roomIds: ids } }, { done: "已置为待保洁" });
    };
    if (await confirm({ title, body: `对所选 ${tiles.length} 间房${title}，确定吗？`, run })) onClear();
  };
  return (
    <div className="rb__batch" role="region" aria-label="批量操作">
      <span>
        已选 <b>{tiles.length}</b> 间
      </span>
      <ActionButtons
        actions={[
          {
            label: BATCH_ACTS.block,
            need: "3.edit",
            why: tooMany,
            run: () => fits("block") && setBlocking(true),
          },
          { label: BATCH_ACTS.lift, need: "3.edit", why: tooMany, run: () => start("lift") },
          { label: BATCH_ACTS.clean, need: "3.edit", why: tooMany, run: () => start("clean") },
          { label: BATCH_ACTS.soil, need: "3.edit", why: tooMany, run: () => start("soil") },
          { label: "导出", need: "3.export", run: onExport },
        ]}
      />
      <Button look="text" run={onClear}>
        取消选择
      </Button>
      {blocking && (
        <BlockForm rooms={tiles} today={today} onClose={() => setBlocking(false)} onDone={onClear} />
      )}
      {refused && (
        <RefusedDialog
          title={refused.title}
          refused={refused.rooms}
          onClose={() => setRefused(undefined)}
          onDrop={() => {
            onDrop(refused.rooms.map((r) => r.roomId));
            setRefused(undefined);
          }}
        />
      )}
    </div>
  );
}
