import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { listRefunds, payRefunds, refundsByVillage, exportRefundsByVillage } from "./refund.contract.ts";
import { useRefundActs } from "./refund.panel.tsx";
import { ROUTES, TABS } from "./refund.rules.ts";

const PAGE = "/accountManage/RefundManage";
const KEPT = ["source", "route", "appliedFrom", "appliedTo", "paidFrom", "paidTo", "amountFrom", "amountTo"];

/** What waits in each store and how long it takes. A figure opens the refunds behind it. */
export default function RefundsByVillagePage() {
  const [address] = useAddress();
  const kept = Object.fromEntries(KEPT.map((key) => [key, address.get(key)]).filter(([, value]) => value));
  const to = (tab: string) => (row: { id: number }) => pathTo(PAGE, { ...kept, villageIds: row.id, tab });
  return (
    <>
      <Ties />
      <ListPage
        call={refundsByVillage}
        unit="个门店"
        sort={{ sort: "toPay", order: "desc" }}
        filters={["villageIds", "source", "route", "appliedFrom", "paidFrom", "amountFrom"]}
        columns={[
          { key: "villageName", to: to("all") },
          "applied",
          { key: "amount", strong: true },
          { key: "approving", to: to("approving") },
          { key: "toPay", to: to("toPay") },
          { key: "paying", to: to("paying") },
          { key: "failed", to: to("failed") },
          "paidCount",
          { key: "paid", to: to("paid") },
          "days",
          "waiting",
        ]}
        card={{
          title: "villageName",
          lines: [
            ["amount", "paid"],
            ["toPay", "failed"],
          ],
        }}
        picture={(query, filter) => (
          <Picture query={query} pick={(villageId) => filter({ villageIds: String(villageId) })} />
        )}
        expand={(row) => <Waiting villageId={row.id} kept={kept} />}
        exportCall={exportRefundsByVillage}
        emptyText="申请退款后，这里按门店汇总待付和用时"
      />
    </>
  );
}

type Query = Record<string, unknown>;
const SHOWN = 50;

/** What waits for payment in one store, the oldest first, and the payment of all of it that goes back the way it came. */
function Waiting({ villageId, kept }: { villageId: number; kept: Query }) {
  const { batch, layer } = useRefundActs();
  const pay = batch.find(({ does }) => does === payRefunds)!;
  const query = { ...kept, villageIds: String(villageId), tab: "toPay", pageSize: SHOWN };
  return (
    <Loaded call={listRefunds} sent={{ query: query as never }} lines={3}>
      {({ list, total }) => {
        const more = (total ?? 0) - list.length;
        const payable = list.filter((r) => r.route === "channel");
        return (
          <div className="stack gap-4">
            <RowTable
              schema={listRefunds.reply.shape.list}
              rows={list}
              columns={[
                {
                  key: "refundNo",
                  to: (r) => pathTo(PAGE, { villageIds: villageId, tab: "toPay", id: r.id }),
                },
                "partyName",
                "roomName",
                { key: "amount", strong: true },
                "paid",
                { key: "route", show: (r) => ROUTES[r.route][0] },
                "applicant",
                "createdAt",
              ]}
              emptyText="没有待支付的退款"
            />
            {payable.length > 0 && (
              <div className="row">
                <ActionButtons
                  actions={[
                    {
                      label: `支付 ${payable.length} 笔`,
                      main: true,
                      does: payRefunds,
                      why: pay.why?.(payable),
                      run: () => pay.run(payable),
                    },
                  ]}
                />
                <span className="dim">原路退回的一起支付，其余到退款管理办理</span>
              </div>
            )}
            {more > 0 && (
              <p className="dim">
                只列出最早的 {list.length} 笔，
                <Link to={pathTo(PAGE, { ...kept, villageIds: villageId, tab: "toPay" })}>
                  还有 {more} 笔待支付
                </Link>
              </p>
            )}
            {layer}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The stores' rows must make up the whole list; the page says so when they ever do not. */
function Ties() {
  const [address] = useAddress();
  const query = Object.fromEntries(
    [...KEPT, "villageIds"].map((key) => [key, address.get(key) ?? undefined]),
  );
  const whole = useQuery(ask(listRefunds, { query: { ...query, want: "totals" } as never }));
  const rows = useQuery(ask(refundsByVillage, { query: { ...query, want: "totals" } as never }));
  const [a, b] = [whole.data?.sums, rows.data?.sums];
  if (!a || !b || (a.amount === b.amount && a.paid === b.paid && a.toPay === b.toPay)) return null;
  return (
    <p className="notice s-red" role="alert">
      分组合计与总计不一致
    </p>
  );
}

const STATES = ["approving", "toPay", "paying", "failed", "paid"] as const;
const TONES = ["blue", "orange", "cyan", "red", "green"] as const;

/** Money of each store by what has become of it; a click shows that store alone. */
function Picture({ query, pick }: { query: Query; pick: (villageId: number) => void }) {
  const { pageNo: _page, pageSize: _size, sort: _sort, order: _order, want: _want, ...filters } = query;
  return (
    <Loaded
      call={refundsByVillage}
      sent={{ query: { ...filters, pageSize: 50, want: "rows" } as never }}
      lines={6}
    >
      {({ list }) =>
        list.length ? (
          <Chart
            kind="bar"
            stacked
            title="各门店退款"
            height={260}
            labels={list.map((row) => row.villageName)}
            series={STATES.map((state, i) => ({
              name: TABS[state].title,
              values: list.map((row) => row[state]),
              tone: TONES[i]!,
            }))}
            format={yuan}
            onPick={(_label, i) => pick(list[i]!.id)}
          />
        ) : (
          <Empty text="没有退款" />
        )
      }
    </Loaded>
  );
}
