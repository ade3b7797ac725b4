import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ManyDialog, resultColumn } from "../../../platform/console/form/many-dialog.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { inviteRenewals } from "./renewal.contract.ts";

/** Asks the tenants of some contracts to renew, and says afterwards of each what became of it. */
export function useInvite(): [invite: (rows: readonly { id: number }[]) => Promise<void>, layer: ReactNode] {
  const act = useAct();
  const [invited, setInvited] = useState<Reply<typeof inviteRenewals>>();
  const invite = async (rows: readonly { id: number }[]) => {
    const reply = await act(
      inviteRenewals,
      { body: { ids: rows.map((r) => r.id) } },
      {
        ask: {
          title: "发送续租邀请",
          body: `向所选 ${rows.length} 份合同的租客发送续租邀请短信，每份合同每天最多一条。`,
          ok: "发送",
        },
      },
    );
    if (!reply) return;
    if (reply.sent === reply.rows.length) toast(`已发送 ${reply.sent} 条续租邀请`);
    else setInvited(reply);
  };
  const close = () => setInvited(undefined);
  const result = invited && (
    <ManyDialog
      key="invited"
      title="续租邀请"
      width={640}
      done
      onClose={close}
      said={`已发送 ${invited.sent} 条，${invited.rows.length - invited.sent} 份没有发送。`}
    >
      <RowTable
        schema={inviteRenewals.reply!.shape.rows}
        rows={invited.rows}
        columns={["contractNo", "partyName", resultColumn("已发送")]}
      />
    </ManyDialog>
  );
  return [invite, result];
}
