import type { Day } from "../../../platform/kernel/day.ts";
import { ListPage } from "../../../platform/console/list.tsx";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";

type Props = { villageId: number; day: Day | undefined; onOpen: (id: number) => void };

/** 列表: the rooms of the board as a table, for people who sort and export. */
export const BoardList = ({ villageId, day, onOpen }: Props) => (
  <ListPage
    call={listRoomStatus}
    fixed={{ villageId, ...(day && { day }) }}
    unit="间"
    filters={[{ kind: "keyword", key: "keyword", title: "房号、租客、标签" }]}
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
    emptyText="这个门店还没有房间"
  />
);
