import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ListContext } from "../../../platform/console/list/list-context.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, Empty, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { ApartmentDrawer } from "../room-list/apartment.panel.tsx";
import { sectionsOf } from "./arrange.rules.ts";
import { BatchBar, useRoomBatch } from "./batch.panel.tsx";
import { type Board, type BoardState, CompareMatrix, useBoardState } from "./board-state.panel.tsx";
import { BoardCalendar } from "./calendar.panel.tsx";
import { BoardHead } from "./head.panel.tsx";
import { BoardFigures, Legend } from "./legend.panel.tsx";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";
import { MoreFilters } from "./more-filters.form.tsx";
import { RoomDrawer } from "../room-detail/room.panel.tsx";
import { BoardSearch, MoreButton } from "./search.panel.tsx";
import { Villages } from "./villages.panel.tsx";
import { Wall } from "./wall.panel.tsx";

type Props = {
  board: Board;
  day: Day | undefined;
  why: string | undefined;
  onOpen: (id: number) => void;
};

/** 列表: the rooms of the board as a table, for people who sort and export. */
export function BoardList({ board, day, why, onOpen }: Props) {
  const [batch, layer] = useRoomBatch({ today: board.today, why, onDone: () => {} });
  const tileOf = new Map(board.tiles.map((t) => [t.id, t]));
  const tilesOf = (rows: readonly { id: number }[]) => rows.flatMap((r) => tileOf.get(r.id) ?? []);
  return (
    <>
      <ListPage
        call={listRoomStatus}
        fixed={{ villageId: board.village.id, ...(day && { day }) }}
        batch={batch.map(({ why: against, run, ...b }) => ({
          ...b,
          why: (rows: readonly { id: number }[]) => against?.(tilesOf(rows)),
          run: (rows: readonly { id: number }[]) => run(tilesOf(rows)),
        }))}
        unit="间"
        filters={["keyword"]}
        columns={[
          {
            key: "name",
            width: 110,
            show: (r) => (
              <button type="button" className="linkish" onClick={() => onOpen(r.id)}>
                {r.name}
              </button>
            ),
          },
          "building",
          "unit",
          "floor",
          { key: "kind", hidden: true },
          "layout",
          "area",
          { key: "product", hidden: true },
          "listPriceFen",
          "occupancy",
          "condition",
          "flags",
          "partyName",
          { key: "since", hidden: true },
          "until",
          "rentFen",
          "vacantDays",
          "nextFrom",
          "arrearsFen",
          { key: "tags", hidden: true, show: (r) => r.tags.join("、") },
        ]}
        card={{
          title: "name",
          right: "occupancy",
          lines: [
            ["partyName", "rentFen"],
            ["layout", "until"],
          ],
        }}
        exportCall={exportRoomStatus}
        emptyText="没有符合条件的房间"
      />
      {layer}
    </>
  );
}

type PageProps = {
  villageId: number | undefined;
  /** The village is not known yet: the open room will tell. */
  waiting?: boolean;
};

/** The board of a village, or the overview of all of them when none is chosen. */
export function BoardPage({ villageId, waiting = false }: PageProps) {
  const state = useBoardState(villageId);
  const [full, toggleFull] = useFullScreen();
  const [printing, setPrinting] = useState(false);
  const onPrinted = useCallback(() => setPrinting(false), []);
  const today = useOperator()?.today;
  const { board, chosen, query } = state;
  return (
    <div className={`rb rb--${chosen.view} ${full ? "rb--full" : ""}`}>
      <BoardHead
        chosen={chosen}
        today={board?.today ?? today ?? ""}
        openingDay={board?.village.openingDay}
        set={state.choose}
        onPrint={() => setPrinting(true)}
        full={full}
        onFull={toggleFull}
        onExport={() => state.save()}
      />
      {waiting ? (
        <PageSkeleton />
      ) : villageId === undefined ? (
        <Villages
          day={chosen.day}
          villageIds={state.villageIds}
          sieve={state.sieve}
          onOpen={(id, patch) => {
            state.choose({ villageId: id });
            if (patch) state.set(patch);
          }}
          onClear={() =>
            state.set({
              villageIds: undefined,
              occ: undefined,
              cond: undefined,
              flag: undefined,
              empty: undefined,
            })
          }
        />
      ) : board ? (
        <OneBoard state={state} board={board} printing={printing} onPrinted={onPrinted} />
      ) : query.error ? (
        <Broken error={query.error} retry={query.refetch} />
      ) : (
        <PageSkeleton />
      )}
      {state.openId !== undefined && <OpenRoom state={state} id={state.openId} />}
      {state.openFlat !== undefined && <OpenFlat state={state} id={state.openFlat} />}
    </div>
  );
}

/** The whole screen for the board. The page as a whole takes it, so that drawers and lists still lie above. */
function useFullScreen(): [boolean, () => void] {
  const [full, setFull] = useState(false);
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null);
    addEventListener("fullscreenchange", follow);
    return () => removeEventListener("fullscreenchange", follow);
  }, []);
  const toggle = () =>
    void (document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen());
  return [full, toggle];
}

const BANDS = {
  past: "历史房态，只读",
  future: "预计房态：仅按已签租约和封房推算，不含欠费和到期未退",
} as const;

function OneBoard({
  state,
  board,
  printing,
  onPrinted,
}: {
  state: BoardState;
  board: Board;
  printing: boolean;
  onPrinted: () => void;
}) {
  const { chosen, counts, sieve, set, hits } = state;
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  const picked = board.tiles.filter((t) => state.selected.has(t.id));
  const why = board.kind === "today" ? undefined : "切换到今天后可操作";
  const ahead = board.kind === "future";
  const note = board.kind === "today" ? `${state.live.at} 已同步` : "";
  return (
    <>
      <h1 className="rb__paper">
        {board.village.name} 房态图 {board.day}
        {state.filtered && <small>已筛选</small>}
      </h1>
      {board.kind !== "today" && (
        <div className={`rb__band rb__band--${board.kind}`} role="status">
          {board.day} {BANDS[board.kind]}
        </div>
      )}
      <BoardFigures
        figures={state.figures}
        shown={state.shown.length < state.figures.total ? state.shown.length : undefined}
        note={note}
        ahead={ahead}
      />
      <section className="rb__lg">
        <Legend
          tally={counts}
          chosen={sieve}
          set={(axis, values) => set({ [axis]: values, pageNo: undefined })}
          ahead={ahead}
        />
        {chosen.view === "list" ? (
          <div className="rb__find stack gap-3">
            <MoreButton more={state.more} run={() => setMore(true)} />
          </div>
        ) : (
          <BoardSearch
            hits={hits}
            only={state.only}
            onOnly={state.setOnly}
            more={state.more}
            onMore={() => setMore(true)}
            box={box}
          />
        )}
      </section>
      {chosen.compare && chosen.view === "tiles" && (
        <CompareMatrix
          from={chosen.compare}
          to={board.day}
          moves={state.moves}
          error={state.before.error}
          retry={state.before.refetch}
          chosen={state.cell}
          onChoose={(cell) => set({ moved: cell && `${cell.from}-${cell.to}` })}
        />
      )}
      {chosen.view === "list" ? (
        <div className="rb__list">
          <BoardList board={board} day={chosen.day} why={why} onOpen={state.open} />
        </div>
      ) : !board.tiles.length ? (
        <Empty text="这个门店还没有房间：先在房源列表新增，或批量导入" />
      ) : !state.shown.length ? (
        <Empty text="没有符合条件的房间">
          {state.filtered && <Button run={state.clear}>清除筛选</Button>}
        </Empty>
      ) : chosen.view === "calendar" ? (
        <BoardCalendar
          villageId={board.village.id}
          today={board.today}
          sections={sectionsOf(board, state.shown, chosen.group)}
          opened={state.openId}
          onOpen={state.open}
        />
      ) : (
        <Wall state={state} board={board} printing={printing} onPrinted={onPrinted} box={box} />
      )}
      {picked.length > 0 && chosen.view === "tiles" && (
        <BatchBar
          tiles={picked}
          today={board.today}
          why={why}
          onDrop={(ids) => state.select(ids, "toggle")}
          onClear={() => state.select([], "only")}
          onExport={() => state.save(picked.map((t) => t.id))}
        />
      )}
      {more && <MoreFilters board={board} sieve={sieve} set={set} onClose={() => setMore(false)} />}
    </>
  );
}

/** The open room beside the board. One of another village brings its village along. */
function OpenRoom({ state, id }: { state: BoardState; id: number }) {
  const { shown, chosen, set, open } = state;
  const ids = useMemo(() => shown.map((t) => t.id), [shown]);
  return (
    <ListContext value={{ ids, at: id, open, close: () => open(undefined) }}>
      <RoomDrawer
        id={id}
        day={chosen.day}
        toToday={() => set({ day: undefined })}
        onVillage={(villageId) => villageId !== chosen.villageId && set({ villageId })}
      />
    </ListContext>
  );
}

/** The flat whose frame was clicked. */
const OpenFlat = ({ state, id }: { state: BoardState; id: number }) => (
  <ListContext
    value={{ ids: [], at: id, open: state.openTheFlat, close: () => state.openTheFlat(undefined) }}
  >
    <ApartmentDrawer id={id} />
  </ListContext>
);
