import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress, useGo, type Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Row as RowOf } from "../../../platform/console/list/list-schema.ts";
import { Amount, Locks } from "../lock/lock.panel.tsx";
import {
  collectionDetail,
  dailyCollection,
  exportCollection,
  exportCollectionDetail,
} from "./collection.contract.ts";
import { CHANNEL_COLUMNS, leftOut } from "./collection.rules.ts";
import { PrintedDay } from "./print.panel.tsx";
import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { short } from "../owing/picture.panel.tsx";
import "../lock/report.css";

type CollectionPictureProps = { query: Record<string, unknown>; filter: (patch: Patch) => void };

/** Days of the picture: the last ones. */
const MOST_DAYS = 200;

/** Share of each channel over the range, and what came in day by day: the table's own query, all days of it. */
function CollectionPicture({ query, filter }: CollectionPictureProps) {
  const { pageNo: _page, pageSize: _size, sort: _sort, want: _want, ...filters } = query;
  const { data, error, refetch } = useQuery(
    ask(dailyCollection, { query: { ...filters, pageSize: MOST_DAYS, order: "desc" } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const used = CHANNEL_COLUMNS.filter((c) => (data.sums?.[c] ?? 0) > 0);
  if (!used.length) return <Empty text="这段时间没有收款" />;
  const days = data.list.toReversed();
  const fewer = leftOut(data.total ?? 0, MOST_DAYS, "最近", "天");
  return (
    <div className="picture">
      <h3>渠道占比</h3>
      <Chart
        kind="pie"
        title="渠道占比"
        height={180}
        labels={used.map((c) => CHANNELS[c][0])}
        series={[{ name: "收款", values: used.map((c) => data.sums![c]) }]}
        format={yuan}
        onPick={(_, index) => filter({ channel: used[index] })}
      />
      <h3>每日收款</h3>
      {fewer && <p className="fs-12 dim">{fewer}</p>}
      <Chart
        kind="bar"
        stacked
        title="每日收款"
        height={220}
        labels={days.map((row) => row.day.slice(5))}
        series={used.map((c) => ({ name: CHANNELS[c][0], values: days.map((row) => row[c]) }))}
        format={yuan}
        axis={short}
        onPick={(_, index) => filter({ from: days[index]?.day, to: days[index]?.day })}
      />
    </div>
  );
}

const PATH = "/report/dailyCollectionReport";
const FILTERS = ["villageIds", "from", "channel", "accountIds", "operatorIds"] as const;
const TABS = {
  key: "view",
  items: [
    { key: "", title: "按日" },
    { key: "detail", title: "明细" },
  ],
};

export default function CollectionsPage() {
  const [address] = useAddress();
  const go = useGo();
  const [printing, setPrinting] = useState(false);
  const today = useToday();
  const from = address.get("from") ?? address.get("to") ?? today;
  const to = address.get("to") ?? from;
  const kept = Object.fromEntries(
    ["villageIds", "channel", "accountIds", "operatorIds"].map((key) => [key, address.get(key)]),
  );
  const detailOf = (row: Row, more: object = {}) =>
    pathTo(PATH, { ...kept, view: "detail", from: row.day, to: row.day, ...more });
  const submission = reach("/accountManage/SubmissionManage", { villageIds: kept["villageIds"], from, to });
  const toolbar = [
    { label: "打印日报", icon: "print" as const, run: () => setPrinting(true) },
    submission !== undefined && { label: "缴款", run: () => go(submission) },
  ];
  return (
    <div className="report">
      <Locks villageIds={address.get("villageIds")} from={from} to={to} />
      {address.get("view") === "detail" ? (
        <ListPage
          key="detail"
          call={collectionDetail}
          {...DETAIL}
          tabs={TABS}
          filters={FILTERS}
          toolbar={toolbar}
        />
      ) : (
        <ListPage
          key="day"
          call={dailyCollection}
          unit="天"
          tabs={TABS}
          filters={FILTERS}
          columns={[
            {
              key: "day",
              to: (row) => pathTo(PATH, { ...kept, view: "detail", from: row.day, to: row.day }),
            },
            ...CHANNEL_COLUMNS.map((channel) => ({
              key: channel,
              show: (row: Row) => <Amount fen={row[channel]} to={detailOf(row, { channel })} />,
            })),
            { key: "total", show: (row) => <Amount fen={row.total} to={detailOf(row)} strong /> },
            "flows",
            "reversed",
            "fee",
            "net",
            "refund",
          ]}
          card={{
            title: "day",
            right: "total",
            lines: [
              [(row) => channelsOf(row), (row) => `${row.flows} 笔`],
              [(row) => `手续费 ${yuan(row.fee)}`, (row) => `净额 ${yuan(row.net)}`],
            ],
            sums: ["total", "fee", "net"],
          }}
          toolbar={toolbar}
          exportCall={exportCollection}
          picture={(query, filter) => <CollectionPicture query={query} filter={filter} />}
          emptyText={address.get("from") ? "这段时间没有收款" : "今天还没有收款"}
        />
      )}
      {printing && (
        <PrintedDay query={{ ...kept, from, to }} from={from} to={to} onDone={() => setPrinting(false)} />
      )}
    </div>
  );
}

type Row = RowOf<typeof dailyCollection>;
const channelsOf = (row: Row) =>
  CHANNEL_COLUMNS.filter((channel) => row[channel] !== 0)
    .map((channel) => CHANNELS[channel][0])
    .join("、");

const DETAIL = {
  unit: "笔",
  exportCall: exportCollectionDetail,
  columns: [
    { key: "flowNo", to: (row) => reach("/accountManage/AccountFlowPatch", { id: row.flowId }) },
    "paidAt",
    "villageName",
    "partyName",
    { key: "roomName", width: 150, show: (row) => <Rooms names={row.roomName} beside={row.villageName} /> },
    "channel",
    { key: "amount", strong: true },
    "fee",
    { key: "subjects", width: 160 },
    "unallocated",
    "operatorName",
    { key: "businessDay" },
    { key: "day", hidden: true },
  ],
  card: {
    title: "partyName",
    right: "amount",
    lines: [
      [(row) => (row.roomName ? <Rooms names={row.roomName} /> : row.villageName), "channel"],
      ["subjects", "operatorName"],
      ["paidAt", "flowNo"],
    ],
    sums: ["amount", "fee", "unallocated"],
  },
  emptyText: "这段时间没有收款",
} satisfies Omit<Parameters<typeof ListPage<typeof collectionDetail>>[0], "call">;
