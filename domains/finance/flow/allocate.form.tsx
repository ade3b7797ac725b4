import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { allot, keyOf } from "../allocation/allocation.rules.ts";
import type { PartyKind } from "../bill/bills.contract.ts";
import { allocateFlow } from "./acts.contract.ts";
import type { FlowRow } from "./flow.contract.ts";
import { OwedTable } from "./owed.panel.tsx";
import { openOfParty } from "./payer.contract.ts";
import { firstChoice, owedBills, wantsOf, type Choice } from "./taking.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";

/** 分配: what is left of a flow is laid on what the customer owes; the rule proposes, every amount can be changed. */
export function AllocateForm({ flow, onClose }: { flow: FlowRow; onClose: () => void }) {
  const refresh = useRefresh();
  const [touched, setTouched] = useState<Choice>();
  const [alert, setAlert] = useState<string>();
  const [key] = useState(freshKey);
  // late fees are worked out for the day the money came
  const asOf = dayInZone(new Date(flow.paidAt));
  const open = useQuery(
    ask(openOfParty, {
      params: { type: (flow.partyKind ?? "renter") as PartyKind, id: flow.partyId ?? 0 },
      query: { villageId: flow.villageId, asOf },
    }),
  );
  const [at] = open.data?.villages ?? [];
  const bills = at ? owedBills(at.lines, at.bills) : [];
  const choice = touched ?? firstChoice(bills, dayInZone(new Date()), undefined);
  const typed = new Map(wantsOf(bills, choice).map((w) => [keyOf(w), w.amount]));
  const given = [...typed.values()].reduce<Fen>((sum, amount) => sum + (amount ?? 0), 0);
  // what nobody typed is paid in the rule's order, as far as the rest of the money goes
  const free = (at?.lines ?? []).filter((l) => typed.has(keyOf(l)) && typed.get(keyOf(l)) === undefined);
  const { paying } = allot(
    free.map((line) => ({ ...line, priority: 0 })),
    Math.max(0, flow.unallocated - given),
  );
  const pays = new Map(paying.map((p) => [keyOf(p), p.amount]));
  for (const [at_, amount] of typed) if (amount !== undefined) pays.set(at_, amount);
  const wants = (at?.lines ?? []).flatMap((line) => {
    const amount = pays.get(keyOf(line)) ?? 0;
    return amount === 0 ? [] : [{ billId: line.billId, lineId: line.lineId, amount }];
  });
  const total = wants.reduce((sum, want) => sum + want.amount, 0);
  const above = (at?.lines ?? []).find((line) => (pays.get(keyOf(line)) ?? 0) > line.owed);
  const why = wants.some((w) => !Number.isSafeInteger(w.amount))
    ? "请输入正确的金额（最多两位小数）"
    : total > flow.unallocated
      ? "分配金额超过未分配余额"
      : above
        ? "超过该费用的未收金额"
        : total === 0
          ? "请选择要分配的费用"
          : undefined;
  const save = async () => {
    setAlert(undefined);
    try {
      await send(allocateFlow, { params: { id: flow.id }, body: { wants } }, { idempotencyKey: key });
      toast(`已分配 ${yuan(total)}`);
      onClose();
    } catch (error) {
      setAlert(sentence(error));
    }
    await refresh();
  };
  return (
    <Drawer
      title={`分配 ${flow.flowNo}`}
      width={800}
      modal
      onClose={onClose}
      footer={
        <Foot
          form={{ alert }}
          cancel={onClose}
          note={
            <span className={why && total > 0 ? "form__note" : "sub"}>
              {why && total > 0
                ? why
                : `未分配 ${yuan(flow.unallocated)}，分配后剩余 ${yuan(flow.unallocated - total)}`}
            </span>
          }
        >
          <Button look="main" why={why} run={save}>
            分配 {total > 0 && Number.isSafeInteger(total) && yuan(total)}
          </Button>
        </Foot>
      }
    >
      <FormAlert text={alert} />
      {at ? (
        <div className="box allocating">
          <OwedTable
            bills={bills}
            choice={choice}
            onChoice={setTouched}
            pays={pays}
            asOf={dayInZone(new Date())}
            villageName={at.villageName}
          />
        </div>
      ) : open.error ? (
        <Broken error={open.error} retry={open.refetch} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Drawer>
  );
}
