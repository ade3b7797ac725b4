import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { ZodType } from "zod";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { CONTRACT_LISTS } from "../workbench/workbench.rules.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { overviewEmpty, overviewEnding, overviewMoved } from "./overview.contract.ts";
import { daysOf, endingIn, titleOf, wantedOf, type Wanted } from "./overview.rules.ts";

const SIZE = 50;
type Page = { pageNo: number; pageSize: number };
type Answer<R> = { list: R[]; total: number | null };

/** The records behind a figure of the dashboard: as many as the figure says, page by page. */
export function Records({ chosen }: { chosen: Chosen }) {
  const wanted = wantedOf(chosen.records);
  if (!wanted) return null;
  return (
    <Drawer title={titleOf(wanted)} width={860} onClose={() => chosen.show(undefined)}>
      <Of key={chosen.records} wanted={wanted} chosen={chosen} />
    </Drawer>
  );
}

function Of({ wanted, chosen }: { wanted: Wanted; chosen: Chosen }) {
  const [pageNo, setPage] = useState(1);
  const page = { pageNo, pageSize: SIZE };
  if (wanted.of === "moved") return <Moved wanted={wanted} chosen={chosen} page={page} onPage={setPage} />;
  if (wanted.of === "empty") return <Empty wanted={wanted} chosen={chosen} page={page} onPage={setPage} />;
  return <Ending wanted={wanted} chosen={chosen} page={page} onPage={setPage} />;
}

type Given<K extends Wanted["of"]> = {
  wanted: Extract<Wanted, { of: K }>;
  chosen: Chosen;
  page: Page;
  onPage: (pageNo: number) => void;
};
const roomOf = (row: { id: number }) =>
  reach("/configuration/ApartmentManage", { view: "room", id: row.id }) ??
  reach("/configuration/apartment", { room: row.id });

function Moved({ wanted, chosen, page, onPage }: Given<"moved">) {
  const result = useQuery({
    ...ask(overviewMoved, { query: { ...chosen.query, ...page, part: wanted.part } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Rows
      result={result}
      page={page}
      onPage={onPage}
      unit="间"
      schema={overviewMoved.reply.shape.list}
      columns={[
        { key: "fullName", to: roomOf },
        "villageName",
        "partyName",
        {
          key: "contractNo",
          to: (row) =>
            row.contractId && row.kind
              ? reach(CONTRACT_LISTS[row.kind].path, { id: row.contractId })
              : undefined,
        },
        "startDate",
        "endDate",
        "rent",
      ]}
    />
  );
}

function Empty({ wanted, chosen, page, onPage }: Given<"empty">) {
  const { from, to } = wanted.days === undefined ? {} : daysOf(wanted.days);
  const query = { ...chosen.standing, ...page, why: wanted.why, daysFrom: from, daysTo: to };
  const result = useQuery({ ...ask(overviewEmpty, { query }), placeholderData: keepPreviousData });
  return (
    <Rows
      result={result}
      page={page}
      onPage={onPage}
      unit="间"
      schema={overviewEmpty.reply.shape.list}
      columns={[
        { key: "fullName", to: roomOf },
        "villageName",
        "occupancy",
        "condition",
        "days",
        "listPrice",
      ]}
    />
  );
}

function Ending({ wanted, chosen, page, onPage }: Given<"ending">) {
  const days = endingIn(wanted.month, chosen.period);
  const query = { ...chosen.standing, ...page, ...days, part: wanted.part };
  const result = useQuery({ ...ask(overviewEnding, { query }), placeholderData: keepPreviousData });
  return (
    <Rows
      result={result}
      page={page}
      onPage={onPage}
      unit="份"
      schema={overviewEnding.reply.shape.list}
      columns={[
        { key: "contractNo", to: (row) => reach(CONTRACT_LISTS[row.kind].path, { id: row.id }) },
        "villageName",
        "roomNames",
        "partyName",
        "endDate",
        "rent",
        "renewed",
      ]}
    />
  );
}

/** A page of records with their number, and the way to the next. */
function Rows<R extends object>({
  result: { data, error, refetch },
  page: { pageNo, pageSize },
  onPage,
  unit,
  schema,
  columns,
}: {
  result: UseQueryResult<Answer<R>>;
  page: Page;
  onPage: (pageNo: number) => void;
  unit: string;
  schema: ZodType;
  columns: readonly Column<R>[];
}) {
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  const total = data.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / pageSize));
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
        <RowTable schema={schema} rows={data.list} columns={columns} flat />
      </div>
    </div>
  );
}
