import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import {
  type CommissionRow,
  billCommissions,
  clawCommission,
  previewCommissionBill,
} from "./commission.contract.ts";

const LINES = elementOf(shapeOf(previewCommissionBill.reply)["lines"])!;

/** 生成佣金账单: what would be paid to whom, line by line, before it is. */
export function BillForm({ rows, onClose }: { rows: readonly CommissionRow[]; onClose: () => void }) {
  const refresh = useRefresh();
  const [key] = useState(freshKey);
  const [busy, setBusy] = useState(false);
  const ids = rows.map((row) => row.id);
  const { data, error, refetch } = useQuery({
    queryKey: [previewCommissionBill.path, ids],
    queryFn: ({ signal }) => send(previewCommissionBill, { body: { ids } }, { signal }),
    // what has just been billed is not worked out again
    enabled: !busy,
    retry: false,
  });
  const save = async () => {
    setBusy(true);
    try {
      const { billNo, waiting } = await send(
        billCommissions,
        { body: { ids, previewHash: data!.hash } },
        { idempotencyKey: key },
      );
      toast(waiting ? `已提交审批 ${waiting}` : `已生成应付账单 ${billNo}`);
      onClose();
      await refresh();
    } catch (failure) {
      showFailure(failure);
      await refetch();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Drawer
      title="生成佣金账单"
      width={720}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button
            look="main"
            busy={busy}
            why={error ? "所选佣金不能一起结算" : data ? undefined : "正在试算"}
            run={save}
          >
            生成账单{data ? ` ${yuan(data.amount)}` : ""}
          </Button>
        </Foot>
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={4} />
      ) : (
        <>
          <p>
            付给 <b>{data.payeeName}</b>（{data.bankText}），{data.villageName}，应付日 {data.dueDate}
          </p>
          <RowTable
            schema={LINES}
            rows={data.lines}
            columns={["number", "kind", "agentName", "contractNo", "amount"]}
            sums={{ amount: data.amount }}
          />
          <p className="dim">需要审批的门店提交后等待审批，通过后生成应付账单；账单付款后佣金为已支付。</p>
        </>
      )}
    </Drawer>
  );
}

/** 扣回: a counter line beside the commission. */
export const ClawForm = ({ of, onClose }: { of: CommissionRow; onClose: () => void }) => (
  <FormDialog
    call={clawCommission}
    title={`扣回佣金 ${of.number}`}
    ok="扣回"
    done="已扣回"
    params={{ id: of.id }}
    initial={{ amount: of.left, version: of.version }}
    onClose={onClose}
    note={() => (of.state === "paid" ? "已支付的部分在下次结算时扣减" : `未扣回 ${yuan(of.left)} 元`)}
    fields={["amount", "reason"]}
  />
);
