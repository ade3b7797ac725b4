import { useState } from "react";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Missing, useRoomWordFilters, useWordFilters } from "./apartment.panel.tsx";
import { useRoomActs } from "../room-acts/acts.panel.tsx";
import { BatchForm, BatchProductForm } from "../room-acts/room.form.tsx";
import { exportRooms, rooms } from "../room-acts/room.contract.ts";
import { RoomDrawer } from "../room-detail/room.panel.tsx";
import { codesOf } from "../qrcode/codes.panel.tsx";
import { contractPage } from "../room/renting.rules.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";

/** What is let, one by one, with its status of today. */
export function RoomList({ toolbar }: { toolbar: Actions }) {
  const [actsOf, layer] = useRoomActs();
  const [words, more] = [useWordFilters(), useRoomWordFilters()];
  const [batch, setBatch] = useState<{ ids: number[]; what: "tags" | "facilities" | "pictures" }>();
  const [moving, setMoving] = useState<readonly Row<typeof rooms>[]>();
  const batchOf = (label: string, what: "tags" | "facilities" | "pictures") => ({
    label,
    need: "6.edit" as const,
    run: (rows: readonly { id: number }[]) => setBatch({ ids: rows.map((r) => r.id), what }),
  });
  return (
    <>
      <ListPage
        call={rooms}
        unit="间"
        filters={[
          "villageIds",
          "occupancy",
          "kind",
          "keyword",
          "condition",
          "flag",
          "incomplete",
          "bedrooms",
          "areaFrom",
          "priceFrom",
          "tag",
          "productId",
          ...more,
          ...words,
        ]}
        columns={[
          { key: "fullName", width: 200 },
          { key: "kind", show: (r) => ROOM_KINDS[r.kind][0] },
          "layout",
          "area",
          { key: "orientation", hidden: true },
          {
            key: "productName",
            to: (r) => (r.productId ? reach("/configuration/Product", { id: r.productId }) : undefined),
          },
          "listPrice",
          ...(may("#601") ? (["lowestPrice"] as const) : []),
          { key: "priceUnit", hidden: true },
          "occupancy",
          "condition",
          "flags",
          {
            key: "partyName",
            to: (r) =>
              r.contractKind ? reach(contractPage(r.contractKind), { id: r.contractId! }) : undefined,
          },
          "until",
          "vacantDays",
          { key: "tags", show: (r) => r.tags.join("、"), hidden: true },
          {
            key: "assets",
            to: (r) => pathTo("/configuration/ApartmentManage", { view: "room", id: r.id, part: "assets" }),
            hidden: true,
          },
          { key: "pictures", hidden: true },
          { key: "complete", show: (r) => <Missing missing={r.missing} /> },
          { key: "firstDay", hidden: true },
          { key: "retiredDay", hidden: true },
        ]}
        card={{
          title: "fullName",
          right: "occupancy",
          lines: [
            ["layout", "listPrice"],
            [(r) => [r.partyName, r.until && `至 ${r.until}`].filter(Boolean).join("，") || "—"],
          ],
        }}
        toolbar={toolbar}
        rowActions={actsOf}
        batch={[
          { label: "改产品", need: "6.edit", run: (rows) => setMoving(rows) },
          batchOf("改标签", "tags"),
          batchOf("改设施", "facilities"),
          batchOf("改图片", "pictures"),
          codesOf("room"),
        ]}
        drawer={(id) => <RoomDrawer id={id} />}
        exportCall={exportRooms}
        sumNote="可整租的整套不重复计入面积和标价"
        emptyText="还没有房间；新增房源时会一起建立"
      />
      {moving && <BatchProductForm rooms={moving} onClose={() => setMoving(undefined)} />}
      {batch && <BatchForm {...batch} onClose={() => setBatch(undefined)} />}
      {layer}
    </>
  );
}
