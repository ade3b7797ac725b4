import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { RoomList } from "./rooms.panel.tsx";
import { RENT_MODES } from "../room/words.rules.ts";
import { ApartmentDrawer, Missing, useWordFilters } from "./apartment.panel.tsx";
import { ApartmentForm } from "../apartment/apartment.form.tsx";
import {
  apartments,
  exportApartments,
  addApartment,
  addApartments,
} from "../apartment/apartment.contract.ts";
import { PlaceTree } from "./tree.panel.tsx";
import "../room/places.css";

/** Flats and rooms: the places as a tree on the left, flats or rooms beside it. */
export default function ApartmentsPage() {
  const words = useWordFilters();
  const [address, set] = useAddress();
  const go = useGo();
  const [adding, setAdding] = useState<"one" | "many">();
  const byRoom = address.get("view") === "room";
  const toolbar = [
    { label: "新增房源", icon: "plus", main: true, does: addApartment, run: () => setAdding("one") },
    { label: "批量新增", does: addApartments, run: () => setAdding("many") },
    { label: "导入", need: "6.import", run: () => go("/configuration/importRooms") },
  ] as const;
  return (
    <div className="places">
      <PlaceTree />
      <div className="places__list stack gap-6 grow">
        <Underline
          label="查看方式"
          items={[
            { key: "flat", title: "按套" },
            { key: "room", title: "按间" },
          ]}
          on={byRoom ? "room" : "flat"}
          onChange={(key) =>
            set({
              view: key === "room" ? "room" : undefined,
              id: undefined,
              part: undefined,
              pageNo: undefined,
              sort: undefined,
              order: undefined,
            })
          }
        />
        {byRoom ? (
          <RoomList key="room" toolbar={toolbar} />
        ) : (
          <ListPage
            key="flat"
            call={apartments}
            unit="套"
            filters={[
              "villageIds",
              "rentMode",
              "keyword",
              "occupancy",
              "condition",
              "flag",
              "incomplete",
              "bedrooms",
              "areaFrom",
              "priceFrom",
              "tag",
              "productId",
              ...words,
            ]}
            columns={[
              { key: "fullName", width: 230 },
              {
                key: "rentMode",
                show: (a) => (
                  <>
                    {RENT_MODES[a.rentMode][0]}
                    {a.rentModeFrom && <small className="dim"> {a.rentModeFrom} 起</small>}
                  </>
                ),
              },
              "layout",
              "grossArea",
              { key: "orientation", hidden: true },
              "listPrice",
              ...(may("#601") ? (["lowestPrice"] as const) : []),
              "occupancyText",
              "rooms",
              "letRooms",
              "vacantDays",
              { key: "pictures", hidden: true },
              { key: "complete", show: (a) => <Missing missing={a.missing} /> },
              { key: "source", hidden: true },
              { key: "headLeaseEnd", hidden: true },
              { key: "retiredDay", hidden: true },
            ]}
            card={{
              title: "fullName",
              right: "occupancyText",
              lines: [
                ["layout", "listPrice"],
                ["grossArea", (a) => `${a.rooms} 间，在租 ${a.letRooms}`],
              ],
            }}
            toolbar={toolbar}
            drawer={(id) => <ApartmentDrawer id={id} />}
            exportCall={exportApartments}
            sumNote="面积、标价按套合计"
            emptyText="还没有房源；可以新增、在门店的楼栋结构中批量生成，或用表格导入"
          />
        )}
      </div>
      {adding && <ApartmentForm many={adding === "many"} onClose={() => setAdding(undefined)} />}
    </div>
  );
}
