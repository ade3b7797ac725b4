import { type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { download, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { useOpened } from "../../../platform/console/form/opened.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { contractPage } from "../bill/bill.rules.ts";
import { Place } from "../bill-list/bill.panel.tsx";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { ConfirmForm, RerouteForm } from "./acts.form.tsx";
import {
  type RefundRow,
  getRefund,
  cancelRefund,
  confirmRefund,
  failRefund,
  payRefund,
  payRefunds,
  payoutFile,
  rerouteRefund,
  retryRefund,
  returnRefund,
  revealAccount,
} from "./refund.contract.ts";
import { REFUND_MOVES, REFUND_SOURCE, REFUND_STATE, ROUTES } from "./refund.rules.ts";
import "../flow-list/flow.css";

const FLOWS = "/accountManage/AccountFlowPatch";
const { parts, attempts } = getRefund.reply!.shape;

/** The record that the money was held for. */
export const sourcePath = (r: RefundRow): string | undefined =>
  r.source === "transfer"
    ? reach("/accountManage/CorporateFlow", { tab: "all", id: r.sourceId })
    : r.reservationId
      ? reach("/configuration/BookingManagement", { tab: "reservation", id: r.reservationId })
      : r.contractId
        ? reach(contractPage(r.contractKind ?? "") ?? "", { id: r.contractId })
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
      { key: "partyName", show: (r) => <To to={partyPath(r.partyKind, r.partyId)} text={r.partyName} /> },
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
            emptyText="审批通过时按到账先后（最近的先退）确定从哪几笔收款中退"
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
      { key: "log", title: "业务日志", view: (r) => <Moments log={r.log} /> },
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

export type RefundActs = {
  of: (r: RefundRow) => Actions;
  batch: readonly Batch<RefundRow>[];
  layer: ReactNode;
};
type Reasoned = typeof failRefund | typeof returnRefund | typeof cancelRefund;
type Told = Record<"title" | "text" | "ok" | "done", string>;
type Move = Parameters<typeof REFUND_MOVES.refusal>[0];

const whyNot = (move: Move, r: RefundRow) =>
  r.frozen ? "审批中，不能修改" : REFUND_MOVES.refusal(move, { ...r, status: r.state });
/** The first of several that stands in the way, with its number. */
const whyNotAll = (move: Move, rows: readonly RefundRow[]) => {
  const bad = rows.find((r) => whyNot(move, r));
  return bad && `${bad.refundNo} ${whyNot(move, bad)}`;
};
const picked = (rows: readonly RefundRow[]) => rows.map(({ id, version }) => ({ id, version }));
/** What may still be paid. */
const OPEN: readonly string[] = ["applied", "approving", "toPay", "paying"];
const sumOf = (rows: readonly RefundRow[]) => yuan(rows.reduce((sum, r) => sum + r.amount - r.paid, 0));

const FORMS = { confirm: ConfirmForm, reroute: RerouteForm };

/** What can be done with a refund, with the sentence where it cannot, and the layer that an act has opened. */
export function useRefundActs(): RefundActs {
  const act = useAct();
  const refresh = useRefresh();
  const { opens, layer } = useOpened(getRefund, FORMS);
  const sent = (r: RefundRow) => ({ params: { id: r.id }, body: { version: r.version } });
  const file = async (rows: readonly RefundRow[]) => {
    await download(payoutFile, { body: { items: picked(rows) } });
    await refresh();
  };

  /** An act that is told why. */
  const reasoned = (r: RefundRow, call: Reasoned, { title, text, ok, done }: Told) => ({
    label: title,
    does: call,
    run: () => act(call, sent(r), { done, reason: { title: `${title} ${r.refundNo}`, text, ok } }),
  });

  const of = (r: RefundRow): Actions => [
    OPEN.includes(r.state) &&
      r.route === "channel" && {
        label: "支付",
        does: payRefund,
        why: whyNot("pay", r),
        run: () =>
          act(payRefund, sent(r), {
            done: "已提交，到账后自动完成",
            ask: {
              title: `支付退款 ${r.refundNo}`,
              body: `${yuan(r.amount - r.paid)} 元按原路退回 ${r.partyName}。`,
              ok: "支付",
            },
          }),
      },
    OPEN.includes(r.state) &&
      r.route !== "channel" && {
        label: "确认已付",
        does: confirmRefund,
        why: whyNot("confirm", r),
        run: opens("confirm", r),
      },
    r.state === "failed" &&
      r.route === "channel" && {
        label: "重试",
        does: retryRefund,
        why: whyNot("retry", r),
        run: () => act(retryRefund, sent(r), { done: "已按原退款号重新提交" }),
      },
    (r.state === "failed" || r.state === "toPay") && {
      label: "更换方式",
      does: rerouteRefund,
      why: whyNot("reroute", r),
      run: opens("reroute", r),
    },
    r.state === "paying" &&
      r.route === "bank" && {
        ...reasoned(r, failRefund, {
          title: "付款失败",
          text: `${yuan(r.amount - r.paid)} 元银行没有付出，退款变为失败，可更换账号后重新支付。`,
          ok: "登记失败",
          done: "已登记付款失败，可更换方式后重新支付",
        }),
        why: whyNot("fail", r),
      },
    r.state === "paid" &&
      r.route === "bank" && {
        ...reasoned(r, returnRefund, {
          title: "登记退回",
          text: "最近一次银行打款被退回，这笔钱重新待付；退款变为失败，可更换账号后重新支付。",
          ok: "登记退回",
          done: "已登记退回，可更换方式后重新支付",
        }),
        why: whyNot("returned", r),
      },
    r.payeeTail !== "" && {
      label: "查看账号",
      does: revealAccount,
      run: async () => {
        const { account } = await send(revealAccount, { params: { id: r.id } });
        await confirm({ title: "收款账号", body: `${r.payeeName} ${r.payeeBank} ${account}`, ok: "知道了" });
      },
    },
    (r.state === "applied" || r.state === "approving" || r.state === "toPay") &&
      may(r.state === "toPay" ? "244.edit" : "108.delete") && {
        ...reasoned(r, cancelRefund, {
          title: "取消退款",
          text: `${yuan(r.amount)} 元退回${r.partyName}的余额。`,
          ok: "取消退款",
          done: "已取消，款项退回原余额",
        }),
        danger: true,
        why: whyNot("cancel", r),
      },
  ];

  const batch: readonly Batch<RefundRow>[] = [
    {
      label: "批量支付",
      does: payRefunds,
      why: (rows) => whyNotAll("pay", rows),
      run: (rows) =>
        act(
          payRefunds,
          { body: { items: picked(rows) } },
          {
            done: `已提交 ${rows.length} 笔`,
            ask: {
              title: "批量支付",
              body: `${rows.length} 笔退款共 ${sumOf(rows)} 元按原路退回。`,
              ok: "支付",
            },
          },
        ),
    },
    {
      label: "导出付款文件",
      does: payoutFile,
      why: (rows) => whyNotAll("file", rows),
      run: async (rows) => {
        await file(rows);
        toast(`已导出 ${rows.length} 笔，付款后请逐笔确认`);
      },
    },
  ];
  return { of, batch, layer };
}
