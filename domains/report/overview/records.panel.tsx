import { useState, type ComponentType } from "react";
import type { ZodType } from "zod";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { ListCall, Query, Row } from "../../../platform/console/list/list-schema.ts";
import { useRows } from "../../../platform/console/list/rows.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { CONTRACT_LISTS } from "../workbench/workbench.rules.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { overviewEmpty, overviewEnding, overviewMoved } from "./overview.contract.ts";
import { daysOf, endingIn, titleOf, wantedOf, type Wanted } from "./overview.rules.ts";

const SIZE = 50;

/** The records behind a figure of the dashboard: as many as the figure says, page by page. */
export function Records({ chosen }: { chosen: Chosen }) {
  const wanted = wantedOf(chosen.records);
  if (!wanted) return null;
  const Of = { moved: Moved, empty: Empty, ending: Ending }[wanted.of] as ComponentType<Given<Wanted["of"]>>;
  return (
    <Drawer title={titleOf(wanted)} width={860} onClose={() => chosen.show(undefined)}>
      <Of key={chosen.records} wanted={wanted} chosen={chosen} />
    </Drawer>
  );
}

type Given<K extends Wanted["of"]> = { wanted: Extract<Wanted, { of: K }>; chosen: Chosen };
const ROOM = {
  key: "fullName",
  to: ({ id }: { id: number }) =>
    reach("/configuration/ApartmentManage", { view: "room", id }) ??
    reach("/configuration/apartment", { room: id }),
} as const;
const contractAt = (kind: keyof typeof CONTRACT_LISTS, id: number) =>
  reach(CONTRACT_LISTS[kind].path, { id });

const Moved = ({ wanted, chosen }: Given<"moved">) => (
  <Rows
    call={overviewMoved}
    query={{ ...chosen.query, part: wanted.part }}
    unit="间"
    columns={[
      ROOM,
      "villageName",
      "partyName",
      {
        key: "contractNo",
        to: (row) => (row.contractId && row.kind ? contractAt(row.kind, row.contractId) : undefined),
      },
      "startDate",
      "endDate",
      "rent",
    ]}
  />
);

function Empty({ wanted, chosen }: Given<"empty">) {
  const { from, to } = wanted.days === undefined ? {} : daysOf(wanted.days);
  return (
    <Rows
      call={overviewEmpty}
      query={{ ...chosen.standing, why: wanted.why, daysFrom: from, daysTo: to }}
      unit="间"
      columns={[ROOM, "villageName", "occupancy", "condition", "days", "listPrice"]}
    />
  );
}

const Ending = ({ wanted, chosen }: Given<"ending">) => (
  <Rows
    call={overviewEnding}
    // a bar of the picture, or the card of the period
    query={{
      ...(wanted.month ? chosen.standing : chosen.query),
      ...endingIn(wanted.month, chosen.period),
      part: wanted.part,
    }}
    unit="份"
    columns={[
      { key: "contractNo", to: (row) => contractAt(row.kind, row.id) },
      ...(["villageName", "roomNames", "partyName", "endDate", "rent", "renewed"] as const),
    ]}
  />
);

type RowsProps<C extends ListCall> = {
  call: C;
  query: Omit<Query<C>, "pageNo" | "pageSize">;
  unit: string;
  columns: readonly Column<Row<C>>[];
};

function Rows<C extends ListCall>({ call, query, unit, columns }: RowsProps<C>) {
  const [pageNo, onPage] = useState(1);
  const { data, error, refetch } = useRows<Row<C> & object>(
    call,
    {},
    { ...query, pageNo, pageSize: SIZE },
    false,
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  const total = data.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / SIZE));
  return (
    <div className="ov__records">
      <p className="ov__count row gap-3" role="status">
        共 <b>{total}</b> {unit}
        <span className="grow" />
        {pages > 1 && (
          <>
            <IconButton
              icon="left"
              small
              size={14}
              label="上一页"
              why={pageNo <= 1 ? "已是第一页" : undefined}
              run={() => onPage(pageNo - 1)}
            />
            {pageNo} / {pages}
            <IconButton
              icon="right"
              small
              size={14}
              label="下一页"
              why={pageNo >= pages ? "已是最后一页" : undefined}
              run={() => onPage(pageNo + 1)}
            />
          </>
        )}
      </p>
      <div className="ov__scroll">
        <RowTable schema={call.reply.shape["list"] as ZodType} rows={data.list} columns={columns} flat />
      </div>
    </div>
  );
}
