import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { INVOICES } from "../bill/bill.rules.ts";
import { invoicesOf } from "../invoice/invoice.contract.ts";

type Of = { billId: number } | { contractId: number } | { partyId: number };

/** The invoices of one record, in its drawer. */
export function InvoicesAround({ of }: { of: Of }) {
  const { data, error, refetch } = useQuery(ask(invoicesOf, { query: of }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={invoicesOf.reply!}
      rows={data}
      emptyText="还没有发票"
      columns={[
        { key: "applyNo", to: (i) => reach(INVOICES, { tab: "all", id: i.id }) },
        "invoiceNo",
        "kind",
        "title",
        "amount",
        "tax",
        "state",
        "issuedAt",
      ]}
      flat
    />
  );
}

export default function Invoices({ id }: PanelProps) {
  return <InvoicesAround of={{ billId: id }} />;
}
