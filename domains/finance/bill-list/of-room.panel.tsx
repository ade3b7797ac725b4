import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PARTY_PAGE } from "../bill/bill.rules.ts";
import { billRow, listBills } from "./bill.contract.ts";

const BILLS = "/accountManage/BillListManage";
const COUNTER = "/accountManage/addBillFlow";
const SHOWN = 50;

/** What is still open on the bills of a room, in its drawer: the sum, the bills, and the way to collect. */
export default function RoomBills({ id }: { id: number }) {
  const go = useGo();
  const query = {
    roomIds: String(id),
    tab: "open" as const,
    pageSize: SHOWN,
    sort: "dueDate" as const,
    order: "asc" as const,
  };
  const { data, error, refetch } = useQuery(ask(listBills, { query }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const { list, total, sums } = data;
  const [first] = list.filter((bill) => bill.direction === "receivable");
  return (
    <div className="stack gap-5">
      <div className="row wrap gap-6">
        <span>
          待收 <b>{total ?? list.length}</b> 笔，合计 <b>{yuan(sums?.outstanding ?? 0)}</b>
        </span>
        <ActionButtons
          actions={[
            first !== undefined &&
              reach(COUNTER) !== undefined && {
                label: "收款",
                need: "102.add",
                run: () => go(COUNTER, { partyId: first.partyId, roomId: id }),
              },
            reach(BILLS) !== undefined && {
              label: "全部账单",
              need: "26.query",
              run: () => go(BILLS, { tab: "all", roomIds: id, villageIds: first?.villageId }),
            },
          ]}
        />
      </div>
      <RowTable
        flat
        schema={billRow}
        rows={list}
        emptyText="该房间没有待收账单"
        columns={[
          { key: "billNo", to: (bill) => reach(BILLS, { id: bill.id }) },
          "subjects",
          { key: "partyName", to: (bill) => reach(PARTY_PAGE[bill.partyKind] ?? "", { id: bill.partyId }) },
          "dueDate",
          "daysOverdue",
          { key: "outstanding", strong: true },
          "status",
        ]}
      />
    </div>
  );
}
