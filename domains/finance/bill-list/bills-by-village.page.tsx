import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { pathTo, type Patch, useAddress } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { type Day, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { BILLS } from "../bill/bill.rules.ts";
import { remindBills } from "../checkout/remind.contract.ts";
import { RemindForm } from "../checkout/remind.form.tsx";
import { listBills } from "./bill.contract.ts";
import { placesIn } from "./bill.panel.tsx";
import {
  billsByVillage,
  exportBillsByVillage,
  exportVillagesBills,
  type VillageBills,
} from "./by-village.contract.ts";

const KEPT = [
  "villageIds",
  "buildingIds",
  "partyKind",
  "subjectIds",
  "status",
  "tag",
  "source",
  "direction",
  "dueFrom",
  "dueTo",
  "periodFrom",
  "periodTo",
  "amountFrom",
  "amountTo",
];
const DUE = ["dueFrom", "dueTo", "dueMonth"];
const STANDING = "unpaid,partial,paid";
const thisMonth = (today: Day) => ({ dueFrom: firstOf(monthOf(today)), dueTo: today });

/** The filter as the list of bills knows it: a month of due days is its first and last. */
function useKept() {
  const [address] = useAddress();
  const month = address.get("dueMonth");
  return {
    ...Object.fromEntries(KEPT.map((key) => [key, address.get(key)]).filter(([, value]) => value)),
    ...(month && { dueFrom: firstOf(month), dueTo: lastOf(month) }),
  };
}

/** Both say which due days are meant, so of a month and of days the one that was chosen last stands. */
function useMonthOrDays(address: URLSearchParams, set: (patch: Patch) => void) {
  const month = address.get("dueMonth");
  const days = address.has("dueFrom") || address.has("dueTo");
  const before = useRef<string | null>(null);
  useEffect(() => {
    const isNew = month !== before.current;
    before.current = month;
    if (month && days) set(isNew ? { dueFrom: undefined, dueTo: undefined } : { dueMonth: undefined });
  }, [month, days, set]);
}

/** Stores side by side: what was due, what came, who is late. A figure opens the bills behind it. */
export default function BillsByVillagePage() {
  const [address, set] = useAddress();
  const kept = useKept();
  const today = useToday();
  const [reminding, setReminding] = useState<VillageBills>();
  useMonthOrDays(address, set);
  const due = DUE.some((key) => address.get(key));
  const direction = address.get("direction");
  const status = address.get("status");
  // the month so far, whose target is known: what is due later says nothing of how a store collects, and neither do costs and void bills
  useEffect(() => {
    if (!due || !direction || !status)
      set({
        ...(!due && thisMonth(today)),
        direction: direction ?? "receivable",
        status: status ?? STANDING,
      });
  }, [due, direction, status, set, today]);
  const to = (tab: string) => (row: { id: number }) => pathTo(BILLS, { ...kept, villageIds: row.id, tab });
  if (!due || !direction || !status) return null;
  return (
    <>
      <Ties />
      <ListPage
        call={billsByVillage}
        unit="个门店"
        sort={{ sort: "overdue", order: "desc" }}
        filters={[
          "villageIds",
          { key: "buildingIds", source: placesIn(address.get("villageIds")).buildings },
          "dueMonth",
          "dueFrom",
          "subjectIds",
          "status",
          "tag",
          "partyKind",
          "periodFrom",
          "amountFrom",
          "source",
          "direction",
        ]}
        columns={[
          { key: "villageName", to: to("all") },
          "bills",
          "amount",
          { key: "adjusted", hidden: true },
          "settled",
          { key: "writtenOff", hidden: true },
          { key: "outstanding", strong: true, to: to("open") },
          { key: "overdue", to: to("overdue") },
          "overdueParties",
          "longest",
          "rate",
          { key: "target", hidden: true },
          { key: "uninvoiced", hidden: true },
        ]}
        card={{
          title: "villageName",
          right: "rate",
          lines: [
            ["amount", "settled"],
            ["outstanding", "overdue"],
          ],
          sums: ["amount", "settled", "outstanding"],
        }}
        toolbar={[
          {
            label: "下载各店明细",
            icon: "download",
            does: exportVillagesBills,
            run: () => exportList(exportVillagesBills, { query: Object.fromEntries(address) }, []),
          },
        ]}
        rowActions={(row) => [
          {
            // all of the store's, also of days that are not looked at; the form says where there are none
            label: "催缴全部逾期",
            does: remindBills,
            run: () => setReminding(row),
          },
        ]}
        picture={(query, filter) => (
          <Picture query={query} pick={(villageIds) => filter({ villageIds: String(villageIds) })} />
        )}
        exportCall={exportBillsByVillage}
        emptyText="所选范围内没有账单"
      />
      {reminding && (
        <RemindForm
          title={`催缴全部逾期 ${reminding.villageName}`}
          whom={{ villageId: reminding.id }}
          onClose={() => setReminding(undefined)}
        />
      )}
    </>
  );
}

/** The stores' rows must make up the whole list; the page says so when they ever do not. */
function Ties() {
  const { villageIds, ...kept } = useKept() as Record<string, string>;
  const query = { ...kept, ...(villageIds && { villageIds }), want: "totals" } as never;
  const [address] = useAddress();
  const month = address.get("dueMonth");
  const whole = useQuery(ask(listBills, { query }));
  const rows = useQuery(
    ask(billsByVillage, { query: { ...(query as object), ...(month && { dueMonth: month }) } as never }),
  );
  const [a, b] = [whole.data?.sums, rows.data?.sums];
  if (!a || !b || (a.amount === b.amount && a.settled === b.settled && a.outstanding === b.outstanding))
    return null;
  return (
    <p className="notice s-red" role="alert">
      分组合计与总计不一致
    </p>
  );
}

const MOST = 20;

/** How much of what was due each store has collected, the worst on top, and what it was to; a click shows that store alone. */
function Picture({ query, pick }: { query: Record<string, unknown>; pick: (villageId: number) => void }) {
  const { pageNo: _page, pageSize: _size, sort: _sort, order: _order, want: _want, ...filters } = query;
  const sent = { ...filters, sort: "rate", order: "asc", pageSize: MOST, want: "rows" };
  return (
    <Loaded call={billsByVillage} sent={{ query: sent as never }} lines={6}>
      {({ list }) => {
        const rated = list.filter((row) => row.rate !== null);
        const below = (row: VillageBills) => row.target !== null && row.rate! < row.target;
        return rated.length ? (
          <Chart
            kind="bar"
            across
            title="各门店收缴率"
            height={80 + 26 * rated.length}
            labels={rated.map((row) => row.villageName)}
            series={[
              {
                name: "收缴率",
                values: rated.map((row) => row.rate),
                tone: "green",
                tones: rated.map((row) => (below(row) ? "red" : "green")),
              },
              ...(rated.some((row) => row.target !== null)
                ? [{ name: "目标", values: rated.map((row) => row.target), tick: true }]
                : []),
            ]}
            format={(share) => `${(share * 100).toFixed(2)}%`}
            axis={(share) => `${Math.round(share * 100)}%`}
            most={1}
            onPick={(_label, i) => pick(rated[i]!.id)}
          />
        ) : (
          <Empty text="没有账单" />
        );
      }}
    </Loaded>
  );
}
