import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/act.ts";
import { Detail } from "../../../platform/console/detail.tsx";
import { Money } from "../../../platform/console/kinds.tsx";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";
import { Empty } from "../../../platform/console/states.tsx";
import { WordTag } from "../../../platform/console/tag.tsx";
import { Timeline } from "../../../platform/console/timeline.tsx";
import { openFile } from "../../../platform/console/upload.tsx";
import { BILLS, PARTY_PAGE } from "../bill/around.rules.ts";
import { Entries } from "../journal/entries.panel.tsx";
import { undoAllocation } from "./acts.contract.ts";
import { flowActions, type FormName } from "./flow-actions.panel.tsx";
import { getFlow } from "./flow.contract.ts";
import { FLOW_DIRECTION, FLOW_STATE } from "./flow.rules.ts";

type Flow = Reply<typeof getFlow>;

/** One flow beside its list: what came, what it paid, what is left. */
export function FlowDrawer({ id, onOpen }: { id: number; onOpen: (form: FormName) => void }) {
  const act = useAct();
  return (
    <Detail
      call={getFlow}
      sent={{ params: { id } }}
      title={(flow) => flow.flowNo}
      tags={(flow) => (
        <>
          <WordTag words={FLOW_STATE} code={flow.state} />
          <WordTag words={FLOW_DIRECTION} code={flow.direction} dot={false} />
        </>
      )}
      strip={(flow) => [
        { title: "金额", fen: flow.amount },
        { title: "手续费", fen: flow.fee },
        { title: "已分配", fen: flow.allocated },
        { title: "未分配", fen: flow.unallocated },
      ]}
      facts={[
        {
          title: "客户",
          show: (flow) => {
            const to = reach(PARTY_PAGE[flow.partyKind ?? ""] ?? "", { id: flow.partyId });
            return to ? <Link to={to}>{flow.partyName}</Link> : (flow.partyName ?? "—");
          },
        },
        { title: "房间", show: (flow) => `${flow.villageName} ${flow.roomName ?? ""}` },
        "payerName",
        "channel",
        "accountName",
        "channelTradeNo",
        "paidAt",
        "paidOn",
        "reconcileState",
        "creator",
        "confirmer",
        "confirmedAt",
        { key: "remark", wide: true },
        { key: "reverseReason", wide: true },
        {
          title: "附件",
          wide: true,
          show: (flow) =>
            flow.files.length
              ? flow.files.map((file) => (
                  <button
                    key={file.id}
                    type="button"
                    className="linkish"
                    onClick={() => void openFile(`/system/api/v3/file/${file.id}`)}
                  >
                    {file.name}
                  </button>
                ))
              : "—",
        },
      ]}
      actions={(flow) => flowActions(flow, { act, open: onOpen })}
      tabs={[
        {
          key: "allocations",
          title: "分配",
          count: (flow) => flow.allocations.length,
          view: (flow) => <Allocations flow={flow} />,
        },
        {
          key: "entries",
          title: "凭证",
          count: (flow) => flow.entries.length,
          view: (flow) => <Entries entries={flow.entries} />,
        },
        {
          key: "log",
          title: "业务日志",
          view: (flow) => (
            <Timeline
              moments={flow.log.map((m) => ({
                key: m.id,
                at: m.at,
                who: m.who,
                what: m.action,
                note: m.summary,
              }))}
            />
          ),
        },
      ]}
      slot="flow.tabs"
    />
  );
}

function Allocations({ flow }: { flow: Flow }) {
  const act = useAct();
  if (!flow.allocations.length)
    return <Empty text={flow.state === "pending" ? "确认到账后按预定的账单分配" : "还没有分配到账单"} />;
  const undo = (allocationId: number, amount: string) =>
    act(
      undoAllocation,
      { params: { id: flow.id, allocationId } },
      { done: "已撤销", ask: { title: "撤销分配", body: `撤销 ${amount}，款项回到预存款，账单恢复未收。` } },
    );
  return (
    <div className="box">
      <table className="tbl tbl--flat">
        <thead>
          <tr>
            <th>日期</th>
            <th>账单号</th>
            <th>费用</th>
            <th>应收日</th>
            <th className="num">金额</th>
            <th>经办人</th>
            {may("#10203") && <th aria-label="操作" />}
          </tr>
        </thead>
        <tbody>
          {flow.allocations.map((a) => {
            const to = reach(BILLS, { tab: "all", id: a.billId });
            const stands = a.undoesId === null && !a.undone && flow.direction === "in";
            return (
              <tr key={a.id}>
                <td>{a.date}</td>
                <td>{to ? <Link to={to}>{a.billNo}</Link> : a.billNo}</td>
                <td>{a.subject}</td>
                <td className="dim">{a.dueDate}</td>
                <td className="num">
                  <Money fen={a.amount} />
                </td>
                <td className="dim">{a.operator}</td>
                {may("#10203") && (
                  <td>
                    {stands ? (
                      <button
                        type="button"
                        className="linkish"
                        onClick={() => void undo(a.id, `${a.billNo} ${a.subject}`)}
                      >
                        撤销分配
                      </button>
                    ) : (
                      <span className="dim">{a.undoesId === null ? "已撤销" : "撤销"}</span>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
