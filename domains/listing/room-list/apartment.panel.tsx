import { useState } from "react";
import { Link } from "react-router";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useWordChoice, useWords } from "../../../platform/console/inputs/dic.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { printCodes } from "../qrcode/codes.panel.tsx";
import { AddRoomForm } from "../room-acts/room.form.tsx";
import { GENDERS, RENT_MODES, ROOM_KINDS, isDivided, layoutText } from "../room/words.rules.ts";
import {
  apartment,
  deleteApartment,
  editApartment,
  retireApartment,
} from "../apartment/apartment.contract.ts";
import { EditApartmentForm } from "../apartment/apartment.form.tsx";
import { ModeForm } from "../apartment/rooms.form.tsx";
import "../room/places.css";

type Flat = Reply<typeof apartment>;

/** A flat with its rooms. Domains to the right add their tabs through the slot "apartment.tabs". */
export function ApartmentDrawer({ id }: { id: number }) {
  const today = useToday();
  const [open, setOpen] = useState<"edit" | "mode" | "room" | "retire">();
  const close = () => setOpen(undefined);
  return (
    <Detail
      call={apartment}
      sent={{ params: { id } }}
      width={860}
      title={(a) => a.fullName}
      tags={(a) => (
        <>
          <WordTag words={RENT_MODES} code={a.rentMode} dot={false} />
          {a.rentModeFrom && <StatusTag tone="orange">{a.rentModeFrom} 起</StatusTag>}
          {a.retiredDay && <StatusTag tone="grey">{a.retiredDay} 起注销</StatusTag>}
        </>
      )}
      facts={[
        "villageName",
        { title: "户型", show: (a) => layoutText(a) || "—" },
        "grossArea",
        "innerArea",
        "orientation",
        "decoration",
        { key: "gender", show: (a) => GENDERS[a.gender][0] },
        "sourceName",
        { title: "户型标签", show: (a) => a.layoutTags.join("、") || "—" },
        "headLeaseEnd",
        "certificateNo",
        { title: "可整租", show: (a) => (a.wholeToo ? "是" : "否") },
        "retiredDay",
        { key: "remark", wide: true },
      ]}
      actions={(a) => {
        const gone = a.retiredDay ? `已注销（${a.retiredDay} 起）` : undefined;
        return [
          { label: "编辑", main: true, does: editApartment, why: gone, run: () => setOpen("edit") },
          isDivided(a.rentMode) && {
            label: a.rentMode === "bed" ? "加床位" : "加房间",
            need: "6.add",
            why: gone,
            run: () => setOpen("room"),
          },
          {
            label: "二维码",
            need: "6.query",
            why: a.rooms.length ? undefined : "没有房间",
            run: () =>
              printCodes(
                "room",
                a.rooms.map((r) => r.id),
              ),
          },
          { label: "改出租方式", need: "6.edit", why: gone, run: () => setOpen("mode") },
          { label: "注销", does: retireApartment, why: gone, run: () => setOpen("retire") },
          deleteAction(deleteApartment, a, {
            title: "删除房源",
            body: `确定删除 ${a.fullName} 和其中的 ${a.rooms.length} 个房间吗？`,
          }),
        ];
      }}
      tabs={[{ key: "rooms", title: "房间", count: (a) => a.rooms.length, view: (a) => <Rooms flat={a} /> }]}
      log="apartment"
      slot="apartment.tabs"
    >
      {(a) => (
        <>
          {open === "edit" && <EditApartmentForm flat={a} onClose={close} />}
          {open === "mode" && <ModeForm flat={a} onClose={close} />}
          {open === "room" && <AddRoomForm flat={a} onClose={close} />}
          {open === "retire" && (
            <FormDialog
              call={retireApartment}
              params={{ id: a.id }}
              initial={{ version: a.version, day: today }}
              title={`注销 ${a.fullName}`}
              ok="注销"
              done="已注销"
              fields={[{ key: "day", help: "从这一天起整套不再计入房源，历史保留" }, "reason"]}
              onClose={close}
            />
          )}
        </>
      )}
    </Detail>
  );
}

const Rooms = ({ flat }: { flat: Flat }) => (
  <RowTable
    schema={apartment.reply.shape.rooms}
    rows={flat.rooms}
    flat
    columns={[
      {
        key: "name",
        show: (r) => (
          <Link to={pathTo("/configuration/ApartmentManage", { view: "room", id: r.id })}>
            {r.parentRoomId !== null && "　"}
            {r.name}
          </Link>
        ),
      },
      { own: "kind", title: "类型", show: (r) => <WordTag words={ROOM_KINDS} code={r.kind} dot={false} /> },
      "area",
      "capacity",
      "listPrice",
      ...(may("#601") ? (["lowestPrice"] as const) : []),
      "firstDay",
      "retiredDay",
    ]}
  />
);

/** Words of a group as a filter by name offers them. */
const named = (words: readonly { name: string }[]) =>
  Object.fromEntries(words.map(({ name }) => [name, [name, "grey"] as const]));

const useNames = (group: string) => named(useWords({ kind: "house", group }));

/** Filters by words of the house dictionary that lists of flats and of rooms share, and what is in stock. */
export function useWordFilters() {
  const sources = useWordChoice("house", "source");
  return [
    { key: "orientation", words: useNames("orientation") },
    { key: "decoration", words: useNames("decoration") },
    { key: "layoutTag", words: useNames("layoutTag") },
    { key: "buildingKind", words: useNames("buildingKind") },
    { key: "source", words: sources },
    "stock",
  ] as const;
}

/** 设施 and 暂不发布原因 of rooms. */
export function useRoomWordFilters() {
  const facilities = named(useWords({ kind: "facility", group: "room" }));
  return [
    { key: "facility", words: facilities },
    { key: "holdReason", words: useNames("holdReason") },
  ] as const;
}

/** What a row still lacks, or that it has all. */
export const Missing = ({ missing }: { missing: readonly string[] }) =>
  missing.length ? (
    <span className="missing">缺{missing.join("、")}</span>
  ) : (
    <span className="dim">齐全</span>
  );
