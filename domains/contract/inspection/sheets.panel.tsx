import { useState } from "react";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { NONE, lookOf } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { type Sheet, listSheets, saveSheet } from "./inspection.contract.ts";
import { CONDITIONS, SHEET_KINDS, type SheetKind } from "./inspection.rules.ts";
import { SheetForm } from "./sheet.form.tsx";

const { items, readings } = listSheets.reply.shape.sheets.element.shape;

type SheetsProps = {
  contractId: number;
  partyName: string;
  /** The sheets that are written here; others are shown alone. */
  writes: readonly SheetKind[];
};

type Room = { roomId: number; name: string };
/** Of more rooms only those are listed that have a sheet, and the one that is picked. */
const FEW = 20;
const shownOf = (rooms: readonly Room[], sheets: readonly Sheet[], picked: number | undefined) => {
  if (rooms.length <= FEW) return rooms;
  const written = new Set(sheets.map((s) => s.roomId));
  return rooms.filter((r) => written.has(r.roomId) || r.roomId === picked);
};

const sheetOf = (sheets: readonly Sheet[], { room, kind }: { room: Room; kind: SheetKind }) =>
  sheets.find((s) => s.roomId === room.roomId && s.kind === kind);

/** The hand-over sheets of a contract, room by room: how it was handed over beside how it came back. */
export function ContractSheets({ contractId, partyName, writes }: SheetsProps) {
  const [open, setOpen] = useState<{ room: Room; kind: SheetKind }>();
  const [picked, setPicked] = useState<number>();
  return (
    <Loaded call={listSheets} sent={{ params: { id: contractId } }} lines={4}>
      {({ rooms, sheets }) => (
        <div className="stack gap-8">
          {rooms.length > FEW && (
            <OptionSelect
              value={picked}
              onChange={setPicked}
              options={rooms.map(({ roomId, name }) => ({ value: roomId, label: name }))}
              placeholder="选择房间登记交接单"
            />
          )}
          {shownOf(rooms, sheets, picked).map((room) => {
            const of = (kind: SheetKind) => sheetOf(sheets, { room, kind });
            return (
              <section key={room.roomId} className="stack gap-4" aria-label={room.name}>
                <div className="row wrap gap-4">
                  <b data-whole="">{room.name}</b>
                  {(["in", "out"] as const).map((kind) => (
                    <SheetButtons
                      key={kind}
                      kind={kind}
                      sheet={of(kind)}
                      contractId={contractId}
                      write={
                        writes.includes(kind) && may(saveSheet.needs)
                          ? () => setOpen({ room, kind })
                          : undefined
                      }
                    />
                  ))}
                </div>
                <Compared before={of("in")} after={of("out")} />
              </section>
            );
          })}
          {open && (
            <SheetForm
              {...open}
              // as it is now: who was slower goes on from what somebody else has saved
              sheet={sheetOf(sheets, open)}
              contractId={contractId}
              partyName={partyName}
              onClose={() => setOpen(undefined)}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

function SheetButtons({
  kind,
  sheet,
  contractId,
  write,
}: {
  kind: SheetKind;
  sheet: Sheet | undefined;
  contractId: number;
  write: (() => void) | undefined;
}) {
  const [title] = SHEET_KINDS[kind];
  if (!sheet)
    return write ? (
      <Button size="sm" icon="plus" run={write}>
        登记{title}
      </Button>
    ) : null;
  const file = `/contract/api/v3/contract/${contractId}/sheet/${sheet.id}/file`;
  return (
    <span className="row gap-3 fs-13">
      <span className="sub">
        {title} {sheet.doneOn}，钥匙 {sheet.keys} 把，门卡 {sheet.cards} 张，
        {sheet.signed ? "租客已签字" : "租客未签字"}
      </span>
      <Button size="sm" run={() => openFile(file)}>
        打印{title}
      </Button>
      {write && (
        <Button size="sm" run={write}>
          修改{title}
        </Button>
      )}
    </span>
  );
}

/** Things and readings of moving in beside those of leaving. */
function Compared({ before, after }: { before: Sheet | undefined; after: Sheet | undefined }) {
  const shown = after ?? before;
  if (!shown) return <p className="dim">还没有登记交接单</p>;
  const wasOf = (name: string) => before?.items.find((i) => i.name === name);
  const photos = (ids: readonly number[]) =>
    ids.length ? (
      <Papers files={ids.map((id, i) => ({ id, name: `照片${i + 1}`, type: "image/jpeg" }))} />
    ) : (
      NONE
    );
  return (
    <>
      <RowTable
        schema={items}
        rows={shown.items}
        columns={[
          "name",
          "quantity",
          {
            own: "was",
            title: "入住状况",
            show: (i) => {
              const was = wasOf(i.name);
              return was ? <WordTag words={CONDITIONS} code={was.condition} dot={false} /> : NONE;
            },
          },
          {
            own: "now",
            title: "退房状况",
            show: (i) => (after ? <WordTag words={CONDITIONS} code={i.condition} dot={false} /> : NONE),
          },
          "price",
          "reason",
          { own: "photos", title: "照片", show: (i) => photos(i.fileIds) },
        ]}
        emptyText="没有登记物品"
      />
      {shown.readings.length > 0 && (
        <RowTable
          schema={readings}
          rows={shown.readings}
          columns={[
            "kind",
            "meterNo",
            { own: "first", title: "入住读数", show: (r) => (after ? (r.start ?? NONE) : r.reading) },
            { own: "last", title: "退房读数", show: (r) => (after ? r.reading : NONE) },
            {
              key: "price",
              show: (r) => (r.price === null ? NONE : lookOf({ title: "", kind: "money" }, r.price)),
            },
            { own: "photos", title: "照片", show: (r) => photos(r.fileIds) },
          ]}
        />
      )}
    </>
  );
}
