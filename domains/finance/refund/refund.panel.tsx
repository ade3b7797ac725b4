import { Link } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { Place } from "../bill/bill.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { Entries } from "../journal/entries.panel.tsx";
import type { RefundActs } from "./refund-acts.panel.tsx";
import { getRefund, type RefundRow } from "./refund.contract.ts";
import { REFUND_SOURCE, REFUND_STATE, ROUTES } from "./refund.rules.ts";
import "../flow/flow.css";

const FLOWS = "/accountManage/AccountFlowPatch";
const { parts, attempts } = getRefund.reply!.shape;

/** The record that the money was held for. */
export const sourcePath = (r: RefundRow): string | undefined =>
  r.reservationId
    ? reach("/configuration/BookingManagement", { tab: "reservation", id: r.reservationId })
    : r.contractId && r.contractKind === "renter"
      ? reach("/contract/RenterContractPage", { id: r.contractId })
      : undefined;

const To = ({ to, text }: { to: string | undefined; text: string | null }) =>
  text ? to ? <Link to={to}>{text}</Link> : <>{text}</> : NONE;

/** One refund: whose money, to whom, by which way, and what became of each try. */
export const RefundDrawer = ({ id, acts }: { id: number; acts: RefundActs }) => (
  <Detail
    call={getRefund}
    sent={{ params: { id } }}
    title={(r) => r.refundNo}
    tags={(r) => (
      <>
        <WordTag words={REFUND_STATE} code={r.state} />
        <WordTag words={REFUND_SOURCE} code={r.source} dot={false} />
        <WordTag words={ROUTES} code={r.route} dot={false} />
      </>
    )}
    strip={(r) => [
      { title: "退款金额", fen: r.amount },
      { title: "已付", fen: r.paid },
      { title: "未付", fen: r.amount - r.paid, key: true },
    ]}
    facts={[
      {
        key: "partyName",
        show: (r) => <To to={partyPath(r.partyKind, r.partyId)} text={r.partyName} />,
      },
      { title: "房间", show: (r) => <Place of={r} /> },
      { key: "sourceNo", show: (r) => <To to={sourcePath(r)} text={r.sourceNo} /> },
      "payeeName",
      { key: "payeeBank", show: (r) => r.payeeBank || NONE },
      { key: "payeeTail", show: (r) => r.payeeTail || NONE },
      { key: "relation", show: (r) => r.relation || NONE },
      { title: "申请", show: (r) => `${timeInZone(r.createdAt).slice(0, 16)} ${r.applicant}` },
      "approvedAt",
      "paidAt",
      { key: "reason", wide: true },
      { key: "routeNote", wide: true, show: (r) => r.routeNote || NONE },
    ]}
    actions={(r) => acts.of(r).map((a, i) => a && { ...a, main: i < 2 && !a.why })}
    tabs={[
      {
        key: "attempts",
        title: "付款记录",
        count: (r) => r.attempts.length,
        view: (r) => (
          <RowTable
            schema={attempts}
            rows={r.attempts}
            emptyText="还没有付款"
            columns={[
              "requestedAt",
              "route",
              "channelRefundNo",
              "accountName",
              "amount",
              "state",
              "message",
              { key: "flowNo", to: (a) => (a.flowId ? reach(FLOWS, { id: a.flowId }) : undefined) },
            ]}
          />
        ),
      },
      {
        key: "parts",
        title: "退回的款项",
        count: (r) => r.parts.length,
        view: (r) => (
          <RowTable
            schema={parts}
            rows={r.parts}
            emptyText="审批通过后确定从哪几笔收款中退"
            columns={[
              { key: "flowNo", to: (p) => (p.flowId ? reach(FLOWS, { id: p.flowId }) : undefined) },
              "paidOn",
              "amount",
            ]}
            sums={{ amount: r.parts.reduce((sum, part) => sum + part.amount, 0) }}
          />
        ),
      },
      { key: "files", title: "附件", count: (r) => r.files.length, view: (r) => <Papers files={r.files} /> },
      {
        key: "entries",
        title: "凭证",
        count: (r) => r.entries.length,
        view: (r) => <Entries entries={r.entries} />,
      },
      {
        key: "log",
        title: "业务日志",
        view: (r) => (
          <Timeline
            moments={r.log.map((l) => ({ key: l.id, at: l.at, who: l.who, what: l.action, note: l.summary }))}
          />
        ),
      },
    ]}
    slot="refund.tabs"
  >
    {(r) => (
      <>
        {r.failure && r.state !== "paid" && (
          <p className="notice s-red" role="status">
            {r.failure}
          </p>
        )}
        {r.endReason && <p className="noted fs-13 sub">{`${REFUND_STATE[r.state][0]}：${r.endReason}`}</p>}
      </>
    )}
  </Detail>
);
