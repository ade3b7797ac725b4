import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Drawer } from "../../../platform/console/drawer.tsx";
import { sentence } from "../../../platform/console/failure.ts";
import { MoneyInput } from "../../../platform/console/inputs.tsx";
import { Money } from "../../../platform/console/kinds.tsx";
import { ask, send } from "../../../platform/console/request.ts";
import { Empty, RowsSkeleton } from "../../../platform/console/states.tsx";
import { toast } from "../../../platform/console/toast.ts";
import { allot } from "../allocation/allocation.rules.ts";
import { keyOf } from "../allocation/plan.rules.ts";
import { periodText } from "../bill/lines.panel.tsx";
import { allocateFlow } from "./acts.contract.ts";
import { getFlow } from "./flow.contract.ts";
import { openOfParty } from "./payer.contract.ts";

type Flow = Reply<typeof getFlow>;

/** 分配: the party's open lines in the rule's order, filled in by it; each amount can be changed. */
export function AllocateForm({ id, onClose }: { id: number; onClose: () => void }) {
  const flow = useQuery(ask(getFlow, { params: { id } }));
  return flow.data ? (
    <Form flow={flow.data} onClose={onClose} />
  ) : (
    <Drawer title="分配流水" width={720} modal onClose={onClose}>
      <RowsSkeleton rows={5} />
    </Drawer>
  );
}

function Form({ flow, onClose }: { flow: Flow; onClose: () => void }) {
  const refresh = useRefresh();
  const [typed, setTyped] = useState<Record<string, number | undefined>>({});
  const [alert, setAlert] = useState<string>();
  const [key, setKey] = useState(freshKey);
  const open = useQuery(
    ask(openOfParty, {
      params: { type: (flow.partyKind ?? "renter") as "renter", id: flow.partyId ?? 0 },
      query: { villageId: flow.villageId, asOf: flow.paidOn },
    }),
  );
  const lines = open.data?.villages[0]?.lines ?? [];
  // the rule's proposal until somebody types an amount of his own
  const proposed = new Map(
    allot(
      lines.map((l) => ({ ...l, priority: 0 })),
      flow.unallocated,
    ).paying.map((p) => [keyOf(p), p.amount]),
  );
  const amountOf = (line: (typeof lines)[number]) =>
    keyOf(line) in typed ? (typed[keyOf(line)] ?? 0) : (proposed.get(keyOf(line)) ?? 0);
  const total = lines.reduce((sum, line) => sum + amountOf(line), 0);
  const why =
    total > flow.unallocated
      ? "分配金额超过未分配余额"
      : lines.some((l) => amountOf(l) > l.owed)
        ? "超过该费用的未收金额"
        : total === 0
          ? "请填写本次分配金额"
          : undefined;
  const save = async () => {
    setAlert(undefined);
    try {
      const wants = lines
        .filter((l) => amountOf(l) > 0)
        .map((l) => ({ billId: l.billId, lineId: l.lineId, amount: amountOf(l) }));
      await send(allocateFlow, { params: { id: flow.id }, body: { wants } }, { idempotencyKey: key });
      toast("已分配");
      onClose();
      await refresh();
    } catch (error) {
      setAlert(sentence(error));
      setKey(freshKey());
      await open.refetch();
    }
  };
  return (
    <Drawer
      title={`分配 ${flow.flowNo}`}
      width={760}
      modal
      onClose={onClose}
      footer={
        <>
          <Button look="main" why={why} run={save}>
            分配
          </Button>
          <Button run={onClose}>取消</Button>
          <span className="sub">
            未分配 {yuan(flow.unallocated)}，本次 <b>{yuan(total)}</b>
          </span>
        </>
      }
    >
      {alert && (
        <div className="form__alert" role="alert">
          {alert}
        </div>
      )}
      {open.isPending ? (
        <RowsSkeleton rows={4} />
      ) : lines.length === 0 ? (
        <Empty text="该客户在此门店没有未收的费用" />
      ) : (
        <div className="lines">
          <table>
            <thead>
              <tr>
                <th>费用</th>
                <th>账单号</th>
                <th>应收日</th>
                <th className="num">应收</th>
                <th className="num">已收</th>
                <th className="num">未收</th>
                <th>本次</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={keyOf(line)}>
                  <td>
                    {line.subject} <span className="dim">{periodText(line.periodStart, line.periodEnd)}</span>
                    {!line.issued && <small className="dim"> 将立即出账</small>}
                  </td>
                  <td className="dim">{line.billNo}</td>
                  <td>{line.dueDate}</td>
                  <td className="num">
                    <Money fen={line.amount} />
                  </td>
                  <td className="num">
                    <Money fen={line.settled} />
                  </td>
                  <td className="num">
                    <Money fen={line.owed} strong />
                  </td>
                  <td>
                    <MoneyInput
                      value={amountOf(line)}
                      onChange={(amount) => setTyped({ ...typed, [keyOf(line)]: amount })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Drawer>
  );
}
