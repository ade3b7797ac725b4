import { useQuery } from "@tanstack/react-query";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { lookOf } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import type { Row } from "./columns.panel.tsx";
import { addFollow, listFollows, owingReport, owingRow } from "./owing.contract.ts";
import { CONTRACT_STATES } from "./owing.rules.ts";

/** One debtor at a day: how much, for how long, which bills, and what was agreed. */
export const OwingDrawer = ({
  id,
  day,
  onFollow,
}: {
  id: number;
  day: string;
  onFollow: (row: Row) => void;
}) => (
  <Detail
    call={owingReport}
    sent={{ query: { partyId: id, day, mode: "party" } }}
    title={({ list: [row] }) => row?.partyName ?? "没有欠费"}
    tags={({ list: [row] }) =>
      row?.contractState && <WordTag words={CONTRACT_STATES} code={row.contractState} />
    }
    strip={({ list: [row] }) => [
      { title: "欠费合计", fen: row?.owed ?? 0, key: true },
      { title: "预计滞纳金", fen: row?.lateFee ?? 0 },
      { title: "押金", fen: row?.deposit ?? 0 },
      { title: "预存款", fen: row?.prepaid ?? 0 },
      { title: "净欠", fen: row?.net ?? 0 },
    ]}
    facts={[
      { title: "手机", show: ({ list: [row] }) => lookOf({ title: "", kind: "phone" }, row?.phone) },
      { title: "房间", show: ({ list: [row] }) => lookOf({ title: "", kind: "text" }, row?.rooms) },
      { title: "最长逾期", show: ({ list: [row] }) => `${row?.maxDays ?? 0} 天` },
      { title: "承诺付款日", show: ({ list: [row] }) => lookOf({ title: "", kind: "day" }, row?.promiseDay) },
      {
        title: "跟进备注",
        show: ({ list: [row] }) => lookOf({ title: "", kind: "text" }, row?.note),
      },
    ]}
    actions={({ list: [row] }) => [
      row && { label: "登记跟进", main: true, does: addFollow, run: () => onFollow(row) },
    ]}
    tabs={[
      { key: "bills", title: "欠费账单", view: () => <Bills id={id} day={day} /> },
      { key: "follows", title: "跟进记录", view: () => <Follows id={id} /> },
    ]}
  />
);

function Bills({ id, day }: { id: number; day: string }) {
  const { data, error, refetch } = useQuery(
    ask(owingReport, {
      query: { partyId: id, day, mode: "bill", pageSize: 200, sort: "maxDays", order: "desc" },
    }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable<Row>
      flat
      schema={owingRow}
      rows={data.list}
      columns={[
        { key: "billNo", to: (row) => reach("/accountManage/BillListManage", { id: row.id }) },
        "rooms",
        "dueDate",
        { key: "maxDays", title: "逾期" },
        { key: "owed", title: "欠费", strong: true },
        "lateFee",
      ]}
      {...(data.sums && { sums: { owed: data.sums.owed } })}
      emptyText="截至这一天没有欠费账单"
    />
  );
}

function Follows({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(listFollows, { params: { partyId: id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <Timeline
      emptyText="还没有跟进记录"
      moments={data.map((f) => ({
        key: f.id,
        at: f.at,
        who: `${f.operatorName} · ${f.villageName}`,
        what: f.promiseDay ? `承诺 ${f.promiseDay} 付款` : "已联系",
        note: f.note,
        tone: f.promiseDay ? "gold" : "grey",
      }))}
    />
  );
}
