import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Dialog } from "../../../platform/console/dialog.tsx";
import { sentence } from "../../../platform/console/failure.ts";
import { ask, send } from "../../../platform/console/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { toast } from "../../../platform/console/toast.ts";
import { confirmFlow, previewConfirm } from "./acts.contract.ts";
import { PlanNotes, PlanTable } from "./plan.panel.tsx";

/** The second person sees what the money will pay, as of now, and says that it is there. */
export function ConfirmForm({ id, onClose }: { id: number; onClose: () => void }) {
  const refresh = useRefresh();
  const [key, setKey] = useState(freshKey);
  const [alert, setAlert] = useState<string>();
  const plan = useQuery({ ...ask(previewConfirm, { params: { id } }), staleTime: 0 });
  const confirm = async () => {
    setAlert(undefined);
    try {
      const body = plan.data ? { previewHash: plan.data.hash } : {};
      await send(confirmFlow, { params: { id }, body }, { idempotencyKey: key });
      toast("已确认到账");
      onClose();
      await refresh();
    } catch (error) {
      setAlert(sentence(error));
      setKey(freshKey());
      await plan.refetch();
    }
  };
  return (
    <Dialog
      title="确认到账"
      width={600}
      onClose={onClose}
      footer={
        <>
          <Button run={onClose}>取消</Button>
          <Button look="main" why={plan.data ? undefined : "正在试算"} run={confirm}>
            确认到账
          </Button>
        </>
      }
    >
      {alert && (
        <div className="form__alert" role="alert">
          {alert}
        </div>
      )}
      {plan.data ? (
        <>
          <p className="asked">
            金额 <b>{yuan(plan.data.amount)}</b>
            {plan.data.rows.length ? "，确认后分配到以下费用：" : "，确认后全部转入预存款。"}
          </p>
          {plan.data.rows.length > 0 && <PlanTable plan={plan.data} />}
          <PlanNotes plan={plan.data} />
        </>
      ) : plan.error ? (
        <Broken error={plan.error} retry={plan.refetch} />
      ) : (
        <RowsSkeleton rows={4} />
      )}
    </Dialog>
  );
}
