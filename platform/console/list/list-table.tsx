import { useQuery } from "@tanstack/react-query";
import type { Call } from "../../kernel/call.ts";
import { ask } from "../calls/request.ts";
import { Broken, RowsSkeleton } from "../parts/states.tsx";
import type { Column } from "./columns.tsx";
import { type Row, elementOf, shapeOf } from "./list-schema.ts";
import { RowTable } from "./row-table.tsx";

/** The first rows of a list as a part of another record, at most a hundred unless `query` says another. */
export function ListTable<C extends Call>({
  call,
  query,
  ...table
}: {
  call: C;
  query: Record<string, unknown>;
  columns: readonly Column<Row<C>>[];
  flat?: boolean;
  emptyText: string;
}) {
  const { data, error, refetch } = useQuery(
    ask(call as Call, { query: { pageSize: 100, ...query } } as never),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const { list } = data as { list: (Row<C> & object)[] };
  return <RowTable schema={elementOf(shapeOf(call.reply)["list"])!} rows={list} {...table} />;
}
