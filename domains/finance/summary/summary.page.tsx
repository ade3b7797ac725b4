import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { Figure, Figures } from "../../../platform/console/charts/figure.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { today, useToday } from "../../../platform/console/session/operator.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { CHECK } from "../reconcile/reconcile.rules.ts";
import { SUBMISSIONS } from "../submission/submission.rules.ts";
import { accountSummary, exportSummary, summaryCards, summaryTrend } from "./summary.contract.ts";
import { SUMMARY_KIND } from "./summary.rules.ts";

type Account = Row<typeof accountSummary>;

/** Where an account's movements over the days are read. */
function movements(row: Account, address: URLSearchParams): string | undefined {
  if (!row.id) return undefined;
  const to = address.get("to") ?? today();
  const from = address.get("from") ?? to;
  return (
    reach("/report/AccountReportPage", { accountIds: row.id, from, to }) ??
    reach(FLOWS, { accountIds: row.id, paidFrom: from, paidTo: to })
  );
}

type Whose = { villageIds: string | undefined; enterpriseId: string | undefined };

/** What is in hand today; each figure opens its records. */
function Cards({ villageIds, enterpriseId }: Whose) {
  const { data } = useQuery({
    ...ask(summaryCards, { query: { villageIds, enterpriseId } as never }),
    placeholderData: (before) => before,
  });
  const today = useToday();
  const of = { villageIds };
  const daily = (from: string) => reach("/report/dailyCollectionReport", { ...of, from, to: today });
  const month = `${today.slice(0, 8)}01`;
  const balances =
    reach("/report/TransferBalanceReport", of) ?? reach("/report/FinancePage", { ...of, list: "trial" });
  const cards = [
    ["今日收款", data?.today, daily(today)],
    [
      "本月收款",
      data?.month,
      reach("/report/IncomeSummaryPage", { ...of, from: month, to: today }) ?? daily(month),
    ],
    ["欠费", data?.arrears, reach("/report/owingReport", of)],
    ["待认领", data?.unclaimed, reach("/accountManage/CorporateFlow", {})],
    ["缴款在途", data?.onTheWay, reach(SUBMISSIONS, { ...of, tab: "submitted" })],
    ["待付退款", data?.toRefund, reach("/accountManage/RefundManage", { ...of, tab: "toPay" })],
    ["预存款", data?.prepaid, balances],
    ["押金", data?.deposits, balances],
  ] as const;
  return (
    <Figures>
      {cards.map(
        ([title, fen, to]) =>
          fen !== null && (
            <Figure
              key={title}
              title={title}
              value={fen === undefined ? "…" : yuan(fen)}
              unit="元"
              {...(to && { to })}
            />
          ),
      )}
    </Figures>
  );
}

/** Thirty days of money in, by channel, under a line of money out. */
function Trend({ villageIds, enterpriseId }: Whose) {
  const go = useGo();
  return (
    <Loaded call={summaryTrend} sent={{ query: { villageIds, enterpriseId } as never }} lines={6}>
      {({ days, channels, out }) =>
        channels.length || out.some(Boolean) ? (
          <div className="picture">
            <h3>近 30 天收付</h3>
            <Chart
              kind="bar"
              stacked
              title="近 30 天收付"
              height={240}
              labels={days.map((day) => day.slice(5))}
              series={[
                ...channels.map(({ channel, amounts }) => ({ name: CHANNELS[channel][0], values: amounts })),
                { name: "付出", values: out, line: true, tone: "orange" as const },
              ]}
              format={yuan}
              axis={(fen) => (Math.abs(fen) < 1_000_000 ? String(fen / 100) : `${fen / 1_000_000}万`)}
              onPick={(_, index) => {
                const day = days[index];
                const to = reach("/report/dailyCollectionReport", {
                  villageIds,
                  from: day,
                  to: day,
                });
                if (to) go(to);
              }}
            />
          </div>
        ) : (
          <Empty text="近 30 天没有收付" />
        )
      }
    </Loaded>
  );
}

/** 账户汇总: where the money is now, and what of it nobody has checked or handed over. */
export default function SummaryPage() {
  const [address] = useAddress();
  const go = useGo();
  const whose: Whose = {
    villageIds: address.get("villageIds") ?? undefined,
    enterpriseId: address.get("enterpriseId") ?? undefined,
  };
  const openAt = (to: string | undefined) => to && go(to);
  return (
    <div className="stack gap-6 full">
      <Cards {...whose} />
      <div className="grow fill">
        <ListPage
          call={accountSummary}
          unit="个账户"
          filters={["villageIds", "from", "kind", "keyword", "enterpriseId"]}
          columns={[
            { key: "name", to: (r) => movements(r, address) },
            { key: "kind", show: (r) => SUMMARY_KIND[r.kind][0], width: 84, wide: true },
            { key: "holderName", wide: true },
            "opening",
            "received",
            "movedIn",
            "refunded",
            "paid",
            "movedOut",
            "fee",
            { key: "closing", strong: true },
            {
              key: "unreconciled",
              show: (r) =>
                r.unreconciled === null ? (
                  <span className="dim">—</span>
                ) : (
                  <span className={r.unreconciled > 1 ? "bad" : ""}>{r.unreconciled}</span>
                ),
            },
            { key: "reconciledOn", wide: true },
            { key: "state", width: 72 },
          ]}
          card={{
            title: "name",
            right: "closing",
            lines: [
              [(r) => SUMMARY_KIND[r.kind][0], "holderName"],
              [
                (r) => `收款 ${yuan(r.received)}`,
                (r) => (r.unreconciled ? `未对账 ${r.unreconciled} 天` : ""),
              ],
            ],
            sums: ["closing", "received"],
          }}
          rowActions={(r) => {
            const settings = r.id
              ? reach("/system/ConfigManagement", { tab: "accounts", id: r.id })
              : undefined;
            const check =
              r.unreconciled === null ? undefined : reach(CHECK, { list: "items", merchantAccountId: r.id });
            return [
              r.id > 0 && { label: "明细", need: "23.get", run: () => openAt(movements(r, address)) },
              check !== undefined && { label: "对账", need: "25.query", run: () => openAt(check) },
              settings !== undefined && { label: "账户设置", need: "#10101", run: () => openAt(settings) },
            ];
          }}
          exportCall={exportSummary}
          picture={() => <Trend {...whose} />}
          emptyText="还没有收款账户；在配置中心设置后，这里列出每个账户的收付和余额"
        />
      </div>
    </div>
  );
}
