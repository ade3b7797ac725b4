import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { RecordTab } from "../../../platform/console/detail/detail.tsx";
import type { StripItem } from "../../../platform/console/detail/facts.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Permit, Reply } from "../../../platform/kernel/call.ts";
import { CONTRACT_PAGE, FLOWS } from "../../finance/bill/bill.rules.ts";
import { type FirmCalls, firmContract } from "../firm/firm.contract.ts";
import { AccountsTab, TitlesTab } from "../record/accounts.panel.tsx";
import { ContactsTab } from "../record/contacts.panel.tsx";
import { PapersTab } from "../record/papers.panel.tsx";
import { RecordLog, SecretText } from "../record/secret.panel.tsx";
import { Black } from "../renter/known.panel.tsx";

type Summary = Reply<FirmCalls["summary"]>;
type Room = Summary["rooms"][number];

const useSummary = (calls: FirmCalls, id: number) => useQuery(ask(calls.summary, { params: { id } }));

/** One figure of the summary, which is counted apart so that the record never waits for it. */
export function Summed(p: { calls: FirmCalls; id: number; show: (s: Summary) => React.ReactNode }) {
  const { data } = useSummary(p.calls, p.id);
  return data ? p.show(data) : <span className="dim">…</span>;
}

export function FirmContracts({ calls, id }: { calls: FirmCalls; id: number }) {
  const { data, error, refetch } = useSummary(calls, id);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  return (
    <RowTable
      schema={firmContract}
      rows={data.contracts}
      columns={[
        {
          key: "contractNo",
          to: (c) => reach(CONTRACT_PAGE[calls.kind], { id: c.id }),
        },
        "state",
        "villageName",
        "roomNames",
        "rooms",
        "startDate",
        "endDate",
        "monthlyRent",
        { key: "overdue", strong: true },
      ]}
      emptyText="还没有合同"
    />
  );
}

/** The shops a merchant has now; nobody lives in them. */
export function FirmRooms({ calls, id }: { calls: FirmCalls; id: number }) {
  const { data, error, refetch } = useSummary(calls, id);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const rooms = data.rooms;
  if (!rooms.length)
    return <RowTable schema={firmContract} rows={[]} columns={[]} emptyText="没有在租房间" />;
  return (
    <div className="box">
      <table className="tbl">
        <Heads of={["房间", "合同", ["面积 ㎡", "num"], ["月租金", "num"], "到期日"]} />
        <tbody>
          {rooms.map((room) => (
            <RoomLine key={`${room.contractId} ${room.roomId}`} room={room} kind={calls.kind} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RoomLine({ room, kind }: { room: Room; kind: FirmCalls["kind"] }) {
  const opens = reach(CONTRACT_PAGE[kind], { id: room.contractId });
  const to = reach("/configuration/apartment", { room: room.roomId });
  return (
    <tr>
      <td>{to ? <Link to={to}>{room.roomName}</Link> : room.roomName}</td>
      <td>{opens ? <Link to={opens}>{room.contractNo}</Link> : room.contractNo}</td>
      <td className="num">{room.area}</td>
      <td className="num">
        <Money fen={room.monthlyRent} />
      </td>
      <td>{room.endDate ?? NONE}</td>
    </tr>
  );
}

/** An amount that opens the list it is the sum of. */
export const Drilled = ({ fen, to }: { fen: number; to: string | undefined }) =>
  fen && to ? (
    <Link to={to}>
      <Money fen={fen} />
    </Link>
  ) : (
    <Money fen={fen} />
  );

type Held = { id: number; arrears: number; prepaid: number; deposit: number };
/** What any customer owes late, has prepaid and has deposited. */
export const moneyStrip = (of: Held): StripItem[] => [
  {
    title: "欠费",
    fen: of.arrears,
    key: true,
    help: "应收日已过仍未收的金额，仅含有权限的门店",
    show: <Drilled fen={of.arrears} to={reach("/report/owingReport", { partyId: of.id, mode: "bill" })} />,
  },
  { title: "预存款", fen: of.prepaid },
  { title: "押金", fen: of.deposit },
];

/** What was received of a customer so far; opens its flows. */
export const Received = ({ id, fen }: { id: number; fen: number }) => (
  <Drilled fen={fen} to={reach(FLOWS, { partyId: id })} />
);

export const firmStrip = (
  calls: FirmCalls,
  of: Held & { monthlyRent: number },
  rent: string,
): StripItem[] => [
  ...moneyStrip(of),
  { title: rent, fen: of.monthlyRent },
  {
    title: "累计实收",
    show: <Summed calls={calls} id={of.id} show={(s) => <Received id={of.id} fen={s.received} />} />,
  },
];

/** A number of a firm that is shown masked. */
export const FirmSecret = (p: {
  calls: FirmCalls;
  id: number;
  field: "phone" | "certNo";
  title: string;
  masked: string | null;
}) => (
  <SecretText
    title={p.title}
    masked={p.masked}
    need={p.calls.reveal.needs}
    reveal={(reason) => send(p.calls.reveal, { params: { id: p.id }, body: { field: p.field, reason } })}
  />
);

/** Tabs that the records of both kinds end with. */
export function firmTabs(calls: FirmCalls, need: Permit) {
  const secret = calls.reveal.needs;
  const reveal = (id: number, field: "contactPhone" | "bankNumber") => (partId: number, reason: string) =>
    send(calls.reveal, { params: { id }, body: { field, partId, reason } });
  return [
    { key: "titles", title: "发票抬头", view: (of) => <TitlesTab party={of} need={need} /> },
    {
      key: "contacts",
      title: "联系人",
      view: (of) => (
        <ContactsTab partyId={of.id} need={need} secret={secret} reveal={reveal(of.id, "contactPhone")} />
      ),
    },
    {
      key: "accounts",
      title: "银行账户",
      view: (of) => (
        <AccountsTab party={of} need={need} secret={secret} reveal={reveal(of.id, "bankNumber")} />
      ),
    },
    { key: "papers", title: "附件", view: (of) => <PapersTab partyId={of.id} need={need} /> },
    { key: "log", title: "日志", view: (of) => <RecordLog kind={calls.kind} id={of.id} /> },
  ] satisfies RecordTab<{ id: number; name: string }>[];
}

/** What stands above a customer: an entry of the black list, and records that were merged into it. */
export const CustomerNotices = ({
  of,
}: {
  of: {
    black: "none" | "warn" | "forbid";
    blackReason: string | null;
    mergedFrom: readonly { name: string }[];
  };
}) => (
  <>
    {of.black !== "none" && <Black level={of.black} reason={of.blackReason} />}
    {of.mergedFrom.length > 0 && (
      <p className="notice s-purple">已并入本记录：{of.mergedFrom.map((m) => m.name).join("、")}</p>
    )}
  </>
);
