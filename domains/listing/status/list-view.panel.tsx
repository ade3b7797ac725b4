import type { Day } from "../../../platform/kernel/day.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useRoomBatch } from "./batch.panel.tsx";
import type { Board } from "./board-data.panel.tsx";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";

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
