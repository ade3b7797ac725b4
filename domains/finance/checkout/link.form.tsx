import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ManyDialog, resultColumn } from "../../../platform/console/form/many-dialog.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { sendPayLinks, sentLink } from "./checkout.contract.ts";
import { LINK_DAYS } from "./checkout.rules.ts";

type Bill = { id: number; partyId: number; partyName: string; villageId: number; outstanding: Fen };
type Props = { of: readonly Bill[]; onClose: () => void };

/** 发送付款链接: one message to each customer of the bills; afterwards each with what became of it. */
export function PayLinkForm({ of, onClose }: Props) {
  const act = useAct();
  const [sent, setSent] = useState<Reply<typeof sendPayLinks>>();
  const [busy, setBusy] = useState(false);
  const messages = new Set(of.map((b) => `${b.villageId} ${b.partyId}`)).size;
  const run = async () => {
    setBusy(true);
    const answer = await act(sendPayLinks, { body: { billIds: of.map((b) => b.id) } });
    setBusy(false);
    if (answer) setSent(answer);
  };
  const failed = sent?.filter((s) => s.refusal !== null).length ?? 0;
  return (
    <ManyDialog
      title={of.length === 1 ? `发送付款链接 ${of[0]!.partyName}` : `发送付款链接 ${of.length} 笔账单`}
      width={760}
      busy={busy}
      waits="正在发送"
      done={sent !== undefined}
      ok={`发送 ${messages} 条短信`}
      run={run}
      onClose={onClose}
      said={
        sent
          ? `已发送 ${sent.length - failed} 条，${failed} 条没有发送。`
          : `每位客户收到一条短信，打开后逐项看到待付的 ${of.length} 笔账单（未收合计 ${yuan(of.reduce((sum, b) => sum + b.outstanding, 0))} 元）并付款，${LINK_DAYS} 天内有效。`
      }
    >
      {sent && (
        <RowTable
          schema={sentLink}
          rows={sent}
          columns={[
            "partyName",
            "villageName",
            "bills",
            { key: "amount", strong: true },
            "phone",
            resultColumn("已发送"),
            {
              own: "copy",
              title: "链接",
              show: ({ path }) =>
                path && (
                  <Button look="text" size="sm" icon="copy" run={() => copy(`${location.origin}${path}`)}>
                    复制
                  </Button>
                ),
            },
          ]}
        />
      )}
    </ManyDialog>
  );
}
