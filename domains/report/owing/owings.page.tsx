import { useState } from "react";
import { addDays } from "../../../platform/kernel/day.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { type Chosen, printLetters } from "../../finance/checkout/letter.contract.ts";
import { remindBills } from "../../finance/checkout/remind.contract.ts";
import { Filled } from "../../../platform/console/detail/foreign-panel.tsx";
import { Locks } from "../lock/lock.panel.tsx";
import { cardOf, columnsOf, type Row } from "./columns.panel.tsx";
import { OwingPicture } from "./picture.panel.tsx";
import { addFollow, exportOwing, owingReport, listFollows, owingRow } from "./owing.contract.ts";
import { MODES, CONTRACT_STATES, type Mode } from "./owing.rules.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useQuery } from "@tanstack/react-query";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { lookOf } from "../../../platform/console/parts/kinds.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { today, useToday } from "../../../platform/console/session/operator.ts";

/** One debtor at a day: how much, for how long, which bills, and what was agreed. */
const OwingDrawer = ({ id, day, onFollow }: { id: number; day: string; onFollow: (row: Row) => void }) => (
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
      { title: "最近催缴", show: ({ list: [row] }) => lookOf({ title: "", kind: "day" }, row?.remindedOn) },
      { title: "承诺付款日", show: ({ list: [row] }) => lookOf({ title: "", kind: "day" }, row?.promiseDay) },
      { title: "跟进备注", show: ({ list: [row] }) => lookOf({ title: "", kind: "text" }, row?.note) },
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

/** What a debtor promised. Until then nobody is reminded. */
const FollowForm = ({ party, onClose }: { party: Row; onClose: () => void }) => (
  <FormDialog
    call={addFollow}
    title={`登记跟进：${party.partyName ?? ""}`}
    params={{ partyId: party.id }}
    initial={{ promiseDay: addDays(today(), 3) }}
    ok="保存"
    done="跟进已登记"
    onClose={onClose}
    fields={["promiseDay", { key: "note", wide: true }]}
    note={({ promiseDay }) =>
      promiseDay ? `${promiseDay} 之前不再提醒` : "未填写承诺付款日，按规则照常提醒"
    }
  />
);

const TABS = (Object.keys(MODES) as Mode[]).map((key) => ({ key, title: MODES[key][0] }));
const UNITS: Record<Mode, string> = {
  party: "户",
  room: "间",
  bill: "笔",
  subject: "个科目",
  village: "个门店",
};

export default function OwingsPage() {
  const [address] = useAddress();
  const go = useGo();
  const [following, setFollowing] = useState<Row>();
  const [reminding, setReminding] = useState<Chosen>();
  const [lettered, setLettered] = useState<Chosen>();
  const mode = TABS.find((m) => m.key === address.get("mode"))?.key ?? "party";
  const today = useToday();
  const day = address.get("day") ?? today;
  const whyNotRemind = day < today ? "截至日不是今天，不能催缴" : undefined;
  const villageIds = (address.get("villageIds") ?? "").split(",").filter(Boolean).map(Number);
  const whyNotAsk = (rows: readonly Row[]) =>
    whyNotRemind ?? (rows.length > MOST_REMINDED ? `一次最多催缴${MOST_REMINDED}行` : undefined);
  const whomOf = (rows: readonly Row[]): Chosen => {
    const ids = rows.map((row) => row.id);
    return mode === "bill" ? { billIds: ids } : { partyIds: ids, ...(villageIds.length && { villageIds }) };
  };
  const drill = (row: Row, age?: string) => {
    const of = {
      party: "partyId",
      room: "roomId",
      bill: "keyword",
      subject: "subjectIds",
      village: "villageIds",
    };
    // how much a row owes is no bound of each of its bills
    const left = ["id", "part", "pageNo", "sort", "order", "amountFrom", "amountTo"];
    const kept = Object.fromEntries([...address].filter(([k]) => !left.includes(k)));
    return `?${new URLSearchParams({ ...kept, mode: "bill", [of[mode]]: String(row.id), ...(age && { ages: age }) })}`;
  };
  return (
    <div className="report">
      <Locks villageIds={address.get("villageIds")} from={day} to={day} />
      <ListPage
        key={mode}
        call={owingReport}
        unit={UNITS[mode]}
        tabs={{ key: "mode", items: TABS }}
        filters={[
          "villageIds",
          "day",
          "ages",
          "keyword",
          "partyKind",
          "contractState",
          "subjectIds",
          "amountFrom",
          "disputed",
          "partyId",
          "roomId",
        ]}
        columns={columnsOf(mode, {
          day,
          today: !address.get("day"),
          asked: Object.fromEntries(address),
          drill,
        })}
        card={cardOf(mode)}
        {...((mode === "party" || mode === "bill") && {
          rowActions: (row: Row) => [
            { label: "催缴", does: remindBills, why: whyNotRemind, run: () => setReminding(whomOf([row])) },
            mode === "party" && { label: "登记跟进", does: addFollow, run: () => setFollowing(row) },
            receive(row) !== undefined && { label: "收款", need: "102.add", run: () => go(receive(row)!) },
            mode === "bill" && {
              label: "核销",
              need: "#2603" as const,
              run: () => go("/accountManage/BillListManage", { id: row.id }),
            },
          ],
          batch: [
            {
              label: "批量催缴",
              does: remindBills,
              why: whyNotAsk,
              run: (rows: readonly Row[]) => setReminding(whomOf(rows)),
            },
            {
              label: "打印催缴函",
              does: printLetters,
              why: whyNotAsk,
              run: (rows: readonly Row[]) => setLettered(whomOf(rows)),
            },
          ],
        })}
        {...(mode === "party" && {
          drawer: (id: number) => <OwingDrawer id={id} day={day} onFollow={setFollowing} />,
        })}
        exportCall={exportOwing}
        picture={(query, filter) => <OwingPicture query={query} filter={filter} />}
        emptyText="截至这一天没有欠费"
      />
      {reminding && (
        <Filled slot="bill.remind" id={0} of={reminding} onClose={() => setReminding(undefined)} />
      )}
      {lettered && <Filled slot="bill.letters" id={0} of={lettered} onClose={() => setLettered(undefined)} />}
      {following && <FollowForm party={following} onClose={() => setFollowing(undefined)} />}
    </div>
  );
}

/** Customers, or bills, that are reminded at once. */
const MOST_REMINDED = 200;
const receive = (row: Row) => reach("/accountManage/addBillFlow", { partyId: row.partyId });
