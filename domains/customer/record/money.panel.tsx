import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Call } from "../../../platform/kernel/call.ts";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { BILLS, FLOWS } from "../../finance/bill/bill.rules.ts";
import { unpaidFirst } from "./bill-order.rules.ts";
import { billRow, listBills, type BillRow } from "../../finance/bill-list/bill.contract.ts";
import { flowRow, listFlows, type FlowRow } from "../../finance/flow/flow.contract.ts";

/** A party with the records that were merged into it. */
type Whose = { id: number; mergedFrom: readonly { id: number }[] };
type Page<R> = { list: R[]; total: number | null };
const SHOWN = 50;

/** The newest records of a person, those of the records merged into it among them. */
function useOf<R>(call: Call, of: Whose, query: Record<string, unknown>) {
  const ids = [of.id, ...of.mergedFrom.map((m) => m.id)];
  return useQueries({
    queries: ids.map((partyId) => {
      const sent = { query: { ...query, partyId, pageSize: SHOWN } };
      return {
        queryKey: [call.path, sent] as const,
        queryFn: ({ signal }: { signal: AbortSignal }) => sendWire<Page<R>>(call, sent, { signal }),
      };
    }),
    combine: (all) => ({
      rows: all.every((one) => one.data) ? all.flatMap((one) => one.data!.list) : undefined,
      total: all.reduce((n, one) => n + (one.data?.total ?? 0), 0),
      error: all.find((one) => one.error)?.error,
      retry: () => Promise.all(all.map((one) => one.refetch())),
    }),
  });
}

function Records<R extends { id: number }>(p: {
  found: ReturnType<typeof useOf<R>>;
  schema: typeof billRow | typeof flowRow;
  columns: readonly Column<R>[];
  order: (a: R, b: R) => number;
  all: string | undefined;
  unit: string;
  emptyText: string;
}) {
  const { rows, total, error, retry } = p.found;
  if (error) return <Broken error={error} retry={retry} />;
  if (!rows) return <RowsSkeleton rows={4} />;
  const shown = rows.toSorted(p.order);
  return (
    <>
      <RowTable schema={p.schema} rows={shown} columns={p.columns} emptyText={p.emptyText} />
      {total > 0 && (
        <p className="sub">
          {shown.length < total && `列出最近 ${shown.length} ${p.unit}，`}共 {total} {p.unit}
          {p.all && (
            <>
              　<Link to={p.all}>在列表中打开</Link>
            </>
          )}
        </p>
      )}
    </>
  );
}

export function PartyBills({ of }: { of: Whose }) {
  const found = useOf<BillRow>(listBills, of, { tab: "all", sort: "dueDate", order: "desc" });
  return (
    <Records<BillRow>
      found={found}
      schema={billRow}
      unit="笔"
      all={reach(BILLS, { partyId: of.id, tab: "all" })}
      order={unpaidFirst}
      emptyText="还没有账单"
      columns={[
        { key: "billNo", to: (b) => reach(BILLS, { id: b.id, partyId: b.partyId, tab: "all" }) },
        "subjects",
        "dueDate",
        "amount",
        "settled",
        { key: "outstanding", strong: true },
        "status",
      ]}
    />
  );
}

export function PartyFlows({ of }: { of: Whose }) {
  const found = useOf<FlowRow>(listFlows, of, { sort: "paidAt", order: "desc" });
  return (
    <Records<FlowRow>
      found={found}
      schema={flowRow}
      unit="笔"
      all={reach(FLOWS, { partyId: of.id })}
      order={(a, b) => b.paidAt.localeCompare(a.paidAt) || b.id - a.id}
      emptyText="还没有收支"
      columns={[
        { key: "flowNo", to: (f) => reach(FLOWS, { id: f.id, partyId: f.partyId }) },
        "paidAt",
        "kind",
        "channel",
        "amountIn",
        "amountOut",
        "unallocated",
        "state",
      ]}
    />
  );
}
