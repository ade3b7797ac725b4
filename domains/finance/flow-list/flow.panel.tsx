import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { freshKey, useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { takenBack } from "../allocation/allocation.rules.ts";
import { BILLS } from "../bill/bill.rules.ts";
import { Place } from "../bill-list/bill.panel.tsx";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { Allotment } from "./allotment.panel.tsx";
import {
  type FlowRow,
  allocateFlow,
  confirmFlow,
  flowDetail,
  getFlow,
  previewConfirm,
  rejectFlow,
  reverseFlow,
  undoAllocation,
} from "../flow/flow.contract.ts";
import {
  BOUND,
  FLOW_DIRECTION,
  FLOW_KIND,
  FLOW_MOVES,
  FLOW_STATE,
  hasReceipt,
  spanOf,
} from "../flow/flow.rules.ts";

type FlowDetail = Reply<typeof getFlow>;

const at = (time: string | null, who: string | null) =>
  time ? `${timeInZone(time).slice(0, 16)}${who ? ` ${who}` : ""}` : null;

export function FlowDrawer({ id, onDo }: { id: number; onDo: (doing: Doing) => void }) {
  const me = useOperator()?.operatorId;
  const refresh = useRefresh();
  return (
    <Detail
      call={getFlow}
      sent={{ params: { id } }}
      title={(f) => f.flowNo}
      tags={(f) => (
        <>
          <WordTag words={FLOW_STATE} code={f.state} />
          <WordTag words={FLOW_DIRECTION} code={f.direction} dot={false} />
          {f.kind !== "receipt" && <WordTag words={FLOW_KIND} code={f.kind} dot={false} />}
        </>
      )}
      strip={(f) => [
        { title: f.direction === "in" ? "收款金额" : "付款金额", fen: f.amount },
        { title: "手续费", fen: f.fee },
        { title: "已分配", fen: f.allocated },
        ...(f.refunded ? [{ title: "已退款", fen: f.refunded }] : []),
        ...(f.direction === "in" ? [{ title: "未分配", fen: f.unallocated, help: "客户的预存款" }] : []),
      ]}
      facts={[
        { title: "客户", show: (f) => <Party flow={f} /> },
        { title: "房间", show: (f) => <Place of={f} /> },
        { title: "渠道", show: (f) => `${CHANNELS[f.channel][0]} · ${f.accountName}` },
        { title: "支付时间", show: (f) => timeInZone(f.paidAt) },
        "payerName",
        "channelTradeNo",
        { key: "submissionNo", show: (f) => <Handed flow={f} /> },
        { title: "录入", show: (f) => at(f.createdAt, f.creator) },
        { title: "确认", show: (f) => at(f.confirmedAt, f.confirmer) ?? <span className="dim">—</span> },
        { key: "remark", wide: true },
      ]}
      actions={(f) => flowActions(f, me, onDo, refresh)}
      tabs={[
        {
          key: "allocations",
          title: "分配明细",
          count: (f) => f.allocations.length,
          view: (f) => <Allocations flow={f} />,
        },
        {
          key: "files",
          title: "附件",
          count: (f) => f.files.length,
          view: (f) => <Papers files={f.files} />,
        },
        {
          key: "entries",
          title: "凭证",
          need: "102.get",
          count: (f) => f.entries.length,
          view: (f) => <Entries entries={f.entries} />,
        },
        { key: "log", title: "业务日志", view: (f) => <Moments log={f.log} /> },
      ]}
      slot="flow.tabs"
    >
      {(f) => (
        <>
          {f.reverseReason && (
            <p className="noted fs-13 sub">
              {f.state === "reversed" ? `${at(f.reversedAt, null)} 冲销` : "驳回"}：{f.reverseReason}
            </p>
          )}
          {f.state === "pending" && f.kind !== "thirdParty" && may("#10201") && <Waiting id={f.id} />}
        </>
      )}
    </Detail>
  );
}

/** The submission that a flow is handed over with. */
export const submissionPath = ({ submissionId: id }: FlowRow) =>
  id ? reach("/accountManage/SubmissionManage", { tab: "all", id }) : undefined;

function Handed({ flow }: { flow: FlowDetail }) {
  if (!flow.submissionNo) return <span className="dim">—</span>;
  const to = submissionPath(flow);
  return to ? <Link to={to}>{flow.submissionNo}</Link> : <>{flow.submissionNo}</>;
}

function Party({ flow }: { flow: FlowDetail }) {
  if (!flow.partyName) return <span className="dim">—</span>;
  const to = partyPath(flow.partyKind, flow.partyId);
  return (
    <>
      {to ? <Link to={to}>{flow.partyName}</Link> : flow.partyName}{" "}
      <span className="sub">{flow.partyPhone}</span>
    </>
  );
}

/** What a waiting flow will pay once it is confirmed. */
function Waiting({ id }: { id: number }) {
  const { data } = useQuery(ask(previewConfirm, { params: { id } }));
  if (!data) return null;
  return (
    <section className="waiting">
      <h3>确认后</h3>
      <div className="waiting__box fs-13">
        <Allotment preview={data} />
      </div>
    </section>
  );
}

function Allocations({ flow }: { flow: FlowDetail }) {
  const act = useAct();
  const undo = (a: FlowDetail["allocations"][number]) =>
    act(
      undoAllocation,
      { params: { id: flow.id, allocationId: a.id } },
      {
        done: "已撤销",
        ask: {
          title: "撤销分配",
          body: `${a.billNo} ${a.subject} 的 ${yuan(a.amount - a.undone)} 将退回预存款，账单重新变为未收。`,
          ok: "撤销分配",
        },
      },
    );
  const open = flow.state === "confirmed" && !flow.frozen && flow.direction === "in" && may("#10203");
  return (
    <RowTable
      schema={flowDetail.shape.allocations}
      rows={flow.allocations}
      emptyText={flow.state === "pending" ? "确认后才会分配" : "尚未分配，全部为客户预存款"}
      columns={[
        "date",
        { key: "billNo", to: (a) => reach(BILLS, { tab: "all", id: a.billId }) },
        "subject",
        {
          own: "span",
          title: "计费期",
          show: (a) => (a.periodStart && a.periodEnd ? spanOf(a.periodStart, a.periodEnd) : "—"),
        },
        "amount",
        "operator",
        {
          own: "undo",
          title: "",
          show: (a) =>
            a.undoesId ? (
              <span className="dim">撤销</span>
            ) : (
              <>
                <span className="dim">{takenBack(a)}</span>
                {open && a.undone < a.amount && (
                  <button
                    type="button"
                    className="linkish"
                    onClick={() => void undo(a).catch(() => undefined)}
                  >
                    撤销
                  </button>
                )}
              </>
            ),
        },
      ]}
      sums={{ amount: flow.allocations.reduce((sum, a) => sum + a.amount, 0) }}
    />
  );
}

/** What somebody is about to do with a flow. */
export type Doing = { what: "confirm" | "allocate" | "print"; flow: FlowRow };

/** Acts that need no more than a reason; answers true when it was done. */
async function reverse(flow: FlowRow): Promise<boolean> {
  const key = freshKey();
  const paid = flow.allocated > 0 ? `已分配的 ${yuan(flow.allocated)} 将退回未收，` : "";
  const fee = flow.fee > 0 ? `，手续费 ${yuan(flow.fee)} 仍计入成本，以渠道账单为准` : "";
  return askReason(
    {
      title: `冲销流水 ${flow.flowNo}`,
      text: `${paid}${flow.direction === "in" ? "收款" : "付款"} ${yuan(flow.amount)} 按今天冲回${fee}。`,
      ok: "冲销",
    },
    async (reason) => {
      const sent = { params: { id: flow.id }, body: { reason, version: flow.version } };
      const { waiting } = await send(reverseFlow, sent, { idempotencyKey: key });
      toast(waiting ? `已提交审批 ${waiting}` : "已冲销");
    },
  );
}

const reject = (flow: FlowRow): Promise<boolean> =>
  askReason(
    { title: `驳回流水 ${flow.flowNo}`, text: `${yuan(flow.amount)} 没有到账，不记入账户。`, ok: "驳回" },
    async (reason) => {
      await send(rejectFlow, { params: { id: flow.id }, body: { reason } });
      toast("已驳回");
    },
  );

/** What can be done with a flow now; what cannot is greyed with its sentence. */
export function flowActions(
  flow: FlowRow,
  me: number | undefined,
  start: (doing: Doing) => void,
  refresh: () => Promise<unknown> = async () => undefined,
): Actions {
  const standing = { ...flow, status: flow.state };
  const again = async (work: Promise<boolean>) => void ((await work) && (await refresh()));
  const waits = flow.state === "pending";
  const frozen = flow.frozen ? FROZEN : undefined;
  if (flow.state === "reversed" || flow.state === "rejected") return [];
  return [
    waits && {
      label: "确认",
      does: confirmFlow,
      main: true,
      why: flow.createdBy === me ? "录入人不能确认自己的流水" : undefined,
      run: () => start({ what: "confirm", flow }),
    },
    waits && { label: "驳回", does: rejectFlow, run: () => again(reject(flow)) },
    !waits &&
      flow.direction === "in" && {
        label: "分配",
        does: allocateFlow,
        main: flow.unallocated > 0,
        why:
          frozen ??
          FLOW_MOVES.refusal("allocate", standing) ??
          (flow.unallocated ? undefined : "没有未分配的金额"),
        run: () => start({ what: "allocate", flow }),
      },
    hasReceipt(flow) && {
      label: "收据",
      need: "102.get",
      run: () => start({ what: "print", flow }),
    },
    !waits && {
      label: "冲销",
      does: reverseFlow,
      danger: true,
      why: frozen ?? BOUND[flow.kind] ?? FLOW_MOVES.refusal("reverse", standing),
      run: () => again(reverse(flow)),
    },
  ];
}
