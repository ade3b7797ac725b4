import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { confirmFlow, previewConfirm } from "./acts.contract.ts";
import { Allotment, effectsOf } from "./allotment.panel.tsx";
import type { FlowRow } from "./flow.contract.ts";
import type { ReceiptPreview } from "./receive.contract.ts";
import { CHANNELS } from "./words.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";

/** The second person sees what the money will pay, as of now, and says that it is there. */
export function ConfirmForm({ flow, onClose }: { flow: FlowRow; onClose: () => void }) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const [key] = useState(freshKey);
  const [alert, setAlert] = useState<string>();
  const params = { id: flow.id };
  const asked = ask(previewConfirm, { params });
  const plan = useQuery({ ...asked, staleTime: 0, retry: false });
  const confirm = async () => {
    setAlert(undefined);
    try {
      await send(confirmFlow, { params, body: { previewHash: plan.data!.hash } }, { idempotencyKey: key });
      toast("已确认到账");
      onClose();
    } catch (error) {
      setAlert(sentence(error));
      if (error instanceof Failure && error.code === "previewChanged")
        client.setQueryData(asked.queryKey, error.data as ReceiptPreview);
    }
    await refresh();
  };
  const effects = plan.data ? effectsOf(plan.data, dayInZone(new Date(flow.paidAt))) : [];
  return (
    <Dialog
      title={`确认${flow.direction === "in" ? "到账" : "付款"}`}
      width={520}
      onClose={onClose}
      footer={
        <Foot form={{ alert }} cancel={onClose}>
          <Button look="main" why={plan.data ? undefined : "正在试算"} run={confirm}>
            确认{flow.direction === "in" ? "到账" : "付款"}
          </Button>
        </Foot>
      }
    >
      <FormAlert text={alert} />
      <dl className="confirming grid fs-13">
        <dt>{CHANNELS[flow.channel][0]}</dt>
        <dd>{flow.accountName}</dd>
        <dt>客户</dt>
        <dd>{flow.partyName ?? "—"}</dd>
        <dt>金额</dt>
        <dd>
          <b>{yuan(flow.amount)}</b>
        </dd>
      </dl>
      {plan.data ? (
        <div className="waiting__box">
          <Allotment preview={plan.data} />
          {effects.length > 0 && <p className="till__effect fs-12 dim">{effects.join("；")}</p>}
        </div>
      ) : plan.error ? (
        <Broken error={plan.error} retry={plan.refetch} />
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Dialog>
  );
}
