import type { ReactNode } from "react";
import type { z } from "zod";
import { Button } from "../../../platform/console/parts/button.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { lineRow } from "./plan.contract.ts";
import { LINE_PARTS, type LinePart } from "./words.rules.ts";

export type Line = z.output<typeof lineRow>;
const ROOMS = "/configuration/ApartmentManage";

export function PartTabs({
  part,
  counts,
  onPart,
  onExport,
}: {
  part: LinePart;
  counts: Partial<Record<LinePart, number>>;
  onPart: (part: LinePart) => void;
  onExport?: (() => unknown) | undefined;
}) {
  return (
    <div className="row gap-6 between">
      <Underline
        small
        label="明细范围"
        on={part}
        onChange={(key) => onPart(key as LinePart)}
        items={Object.entries(LINE_PARTS).map(([key, [title]]) => ({
          key,
          title,
          count: counts[key as LinePart] ?? 0,
        }))}
      />
      {onExport && (
        <Button size="sm" icon="download" run={onExport}>
          导出明细
        </Button>
      )}
    </div>
  );
}

/** Rooms with their old and new prices; a form lays its own inputs into the new price and before the row. */
export const LinesTable = ({
  lines,
  pick,
  price,
}: {
  lines: readonly Line[];
  pick?: (line: Line) => ReactNode;
  price?: (line: Line, key: "newList" | "newLowest") => ReactNode;
}) => (
  <RowTable
    flat
    schema={lineRow}
    rows={lines}
    emptyText="没有符合条件的房间"
    columns={[
      ...(pick ? [{ own: "pick", title: "调整", width: 56, show: pick }] : []),
      {
        key: "roomName",
        to: (l) => (reach(ROOMS) === undefined ? undefined : pathTo(ROOMS, { view: "room", id: l.roomId })),
      },
      "oldList",
      { key: "newList", ...(price && { show: (l: Line) => price(l, "newList") }) },
      "change",
      ...(may("#601")
        ? ([
            "oldLowest",
            { key: "newLowest", ...(price && { show: (l: Line) => price(l, "newLowest") }) },
          ] as const)
        : []),
      {
        own: "note",
        title: "说明",
        show: (l) => (
          <span className="row pc__notes">
            {l.skipped && <StatusTag tone="grey">{l.why}</StatusTag>}
            {l.edited && !l.skipped && <StatusTag tone="blue">手工修改</StatusTag>}
            {l.byProduct && (
              <StatusTag tone="grey" dot={false}>
                改产品价
              </StatusTag>
            )}
            {l.warnings.map((w) => (
              <StatusTag key={w} tone="orange">
                {w}
              </StatusTag>
            ))}
          </span>
        ),
      },
    ]}
  />
);
