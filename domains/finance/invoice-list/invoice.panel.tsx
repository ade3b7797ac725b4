import { type ReactNode, useEffect, useState } from "react";
import { linked } from "../../../platform/console/parts/linked.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { download, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { useOpened } from "../../../platform/console/form/opened.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { BILLS, INVOICES } from "../bill/bill.rules.ts";
import { CONFIRM_STATE, INVOICE_KIND } from "../einvoice/einvoice.rules.ts";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import {
  cancelInvoice,
  editInvoice,
  issueInvoice,
  issueInvoices,
  redInvoice,
  registerInvoice,
  rejectInvoice,
  retryInvoice,
  sendInvoice,
} from "../invoice/acts.contract.ts";
import { EditForm, RedForm, RegisterForm, SendForm } from "./acts.form.tsx";
import { getInvoice, invoiceFile, type InvoiceRow, type InvoiceWhole } from "../invoice/invoice.contract.ts";
import { DIRECTION, INVOICE_MOVES, INVOICE_STATE, RED_REASON } from "../invoice/invoice.rules.ts";

const { lines, reds } = getInvoice.reply!.shape;
type Shown = InvoiceWhole;

const at = (moment: string) => timeInZone(moment).slice(0, 16);

/** One invoice: to whom, of which lines, what was taken back, and its papers. */
export function InvoiceDrawer({ id, acts }: { id: number; acts: InvoiceActs }) {
  const [address, set] = useAddress();
  const wanted = address.get("red") === "1";
  const { openRed } = acts;
  useEffect(() => {
    if (!wanted) return;
    set({ red: undefined });
    void openRed(id);
  }, [wanted, id, set, openRed]);
  return (
    <Detail
      call={getInvoice}
      sent={{ params: { id } }}
      width={800}
      title={(i) => i.invoiceNo ?? i.applyNo}
      tags={(i) => (
        <>
          <WordTag words={INVOICE_STATE} code={i.state} />
          <WordTag words={INVOICE_KIND} code={i.kind} dot={false} />
          {i.direction === "red" && <WordTag words={DIRECTION} code={i.direction} dot={false} />}
        </>
      )}
      strip={(i) => [
        { title: "价税合计", fen: i.amount },
        { title: "不含税", fen: i.net },
        { title: "税额", fen: i.tax },
        ...(i.redAmount || i.reding ? [{ title: "已红冲", fen: i.redAmount }] : []),
      ]}
      facts={[
        { title: "购方", show: (i) => linked(partyPath(i.partyKind, i.partyId), i.title) },
        { key: "taxNo", show: (i) => i.taxNo || NONE },
        { key: "addressPhone", show: (i) => i.addressPhone || NONE },
        { key: "bankAccount", show: (i) => i.bankAccount || NONE },
        { title: "销方", show: (i) => i.sellerName },
        "villageName",
        "applyNo",
        { title: "申请", show: (i) => `${at(i.createdAt)} ${i.applicant}` },
        { title: "开票时间", show: (i) => (i.issuedAt ? at(i.issuedAt) : NONE) },
        {
          title: "接收",
          show: (i) => [i.receiverMobile, i.receiverEmail].filter(Boolean).join("，") || NONE,
        },
        { title: "不动产", wide: true, show: (i) => leaseText(i) },
        { title: "红字", wide: true, show: (i) => <RedFacts of={i} /> },
        { key: "remark", wide: true, show: (i) => i.remark || NONE },
      ]}
      actions={(i) => acts.of(i).map((a, n) => a && { ...a, main: n === 0 && !a.why })}
      tabs={[
        {
          key: "lines",
          title: "开票明细",
          count: (i) => i.lines.length,
          view: (i) => (
            <RowTable
              schema={lines}
              rows={i.lines}
              columns={[
                "itemName",
                { key: "subject" },
                { key: "billNo", to: (l) => reach(BILLS, { id: l.billId }) },
                "taxWord",
                "amount",
                "tax",
                "redAmount",
              ]}
              sums={{ amount: i.amount, tax: i.tax, redAmount: i.redAmount }}
            />
          ),
        },
        {
          key: "reds",
          title: "红冲记录",
          count: (i) => i.reds.length,
          view: (i) => (
            <RowTable
              schema={reds}
              rows={i.reds}
              emptyText="没有红冲"
              columns={[
                { key: "applyNo", to: (r) => pathTo(INVOICES, { tab: "all", id: r.id }) },
                "invoiceNo",
                "amount",
                "tax",
                "state",
                "createdAt",
              ]}
            />
          ),
        },
        {
          key: "entries",
          title: "凭证",
          count: (i) => i.entries.length,
          view: (i) => <Entries entries={i.entries} />,
        },
        { key: "log", title: "业务日志", view: (i) => <Moments log={i.log} /> },
      ]}
      slot="invoice.tabs"
    >
      {(i) => (
        <>
          {i.reason && !i.issuedAt && (
            <p className={`notice ${i.state === "failed" ? "s-red" : "s-orange"}`} role="status">
              {i.reason}
            </p>
          )}
          {i.driver === "simulator" && i.issuedAt && (
            <p className="notice s-orange">样票：由内置模拟平台生成，不能报销和抵扣</p>
          )}
        </>
      )}
    </Detail>
  );
}

const leaseText = (i: Shown) =>
  i.leaseAddress
    ? `${i.leaseAddress}，${i.leaseStart} ~ ${i.leaseEnd}${i.certificateNo && `，产权证 ${i.certificateNo}`}${i.crossCity ? "，跨地市" : ""}`
    : NONE;

const RedFacts = ({ of: i }: { of: Shown }) =>
  i.redOfId && i.redReason ? (
    <>
      对应蓝票 {linked(pathTo(INVOICES, { tab: "all", id: i.redOfId }), i.redOfNo ?? "")}，
      {RED_REASON[i.redReason][0]}
      {i.redConfirmState && (
        <>
          ，确认单 {i.redConfirmNo} {CONFIRM_STATE[i.redConfirmState][0]}
          {i.redConfirmUntil && `（${at(i.redConfirmUntil)} 前）`}
        </>
      )}
    </>
  ) : (
    NONE
  );

export type InvoiceActs = {
  of: (i: InvoiceRow) => Actions;
  openRed: (id: number) => Promise<void>;
  batch: readonly Batch<InvoiceRow>[];
  layer: ReactNode;
};
type Move = Parameters<typeof INVOICE_MOVES.refusal>[0];
const whyNot = (move: Move, i: InvoiceRow) =>
  i.frozen ? FROZEN : INVOICE_MOVES.refusal(move, { ...i, status: i.state });
const FILES = { pdf: "下载PDF", ofd: "下载OFD", xml: "下载XML" } as const;

const FORMS = { edit: EditForm, register: RegisterForm, red: RedForm, send: SendForm };

/** What can be done with an invoice, with the sentence where it cannot, and the layer that an act has opened. */
export function useInvoiceActs(): InvoiceActs {
  const act = useAct();
  const { opens, layer } = useOpened(getInvoice, FORMS);
  const show = async (what: keyof typeof FORMS, id: number) =>
    opens(what, await send(getInvoice, { params: { id } }))();
  const [openRed] = useState(() => (id: number) => show("red", id));
  const sent = (i: InvoiceRow) => ({ params: { id: i.id }, body: { version: i.version } });
  const by = (i: InvoiceRow) => i.driver === "manual";

  const of = (i: InvoiceRow): Actions => [
    !by(i) && {
      label: "审核开票",
      does: issueInvoice,
      why: whyNot("issue", i),
      run: () =>
        act(issueInvoice, sent(i), {
          done: "已提交开具",
          ask: {
            title: `审核开票 ${i.applyNo}`,
            body: `为 ${i.title} 开具${INVOICE_KIND[i.kind][0]} ${yuan(i.amount)} 元。`,
            ok: "开票",
          },
        }),
    },
    !by(i) && {
      label: "重试",
      does: retryInvoice,
      why: whyNot("retry", i),
      run: () => act(retryInvoice, sent(i), { done: "已重新提交开具" }),
    },
    by(i) && {
      label: "登记发票",
      does: registerInvoice,
      why: whyNot("register", i),
      run: () => show("register", i.id),
    },
    ...i.files.map((kind) => ({
      label: FILES[kind],
      does: invoiceFile,
      run: () => download(invoiceFile, { params: { id: i.id }, query: { kind } }),
    })),
    i.issuedAt !== null && {
      label: "重新发送",
      does: sendInvoice,
      why: whyNot("send", i),
      run: () => show("send", i.id),
    },
    i.direction === "blue" && {
      label: "红冲",
      does: redInvoice,
      danger: true,
      why: whyNot("red", i),
      run: () => show("red", i.id),
    },
    i.direction === "blue" && {
      label: "修改",
      does: editInvoice,
      why: whyNot("edit", i),
      run: () => show("edit", i.id),
    },
    {
      label: "驳回",
      does: rejectInvoice,
      danger: true,
      why: whyNot("reject", i),
      run: () =>
        act(rejectInvoice, sent(i), {
          done: "已驳回",
          reason: { title: `驳回 ${i.applyNo}`, text: "占用的可开票金额将释放。", ok: "驳回" },
        }),
    },
    {
      label: "取消申请",
      does: cancelInvoice,
      danger: true,
      why: whyNot("cancel", i),
      run: () =>
        act(cancelInvoice, sent(i), {
          done: "已取消",
          reason: { title: `取消申请 ${i.applyNo}`, text: "占用的可开票金额将释放。", ok: "取消申请" },
        }),
    },
  ];

  const batch: readonly Batch<InvoiceRow>[] = [
    {
      label: "批量审核开票",
      does: issueInvoices,
      why: (rows) => {
        const bad = rows.find((i) => whyNot("issue", i));
        return bad && `${bad.applyNo} ${whyNot("issue", bad)}`;
      },
      run: (rows) =>
        act(
          issueInvoices,
          { body: { items: rows.map(({ id, version }) => ({ id, version })) } },
          {
            done: `已提交开具 ${rows.length} 张`,
            ask: {
              title: "批量审核开票",
              body: `${rows.length} 张发票共 ${yuan(rows.reduce((sum, i) => sum + i.amount, 0))} 元提交开具。`,
              ok: "开票",
            },
          },
        ),
    },
  ];
  return {
    of,
    openRed,
    batch,
    layer,
  };
}
