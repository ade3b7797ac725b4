import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ManyDialog, resultColumn } from "../../../platform/console/form/many-dialog.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { changeKeeper } from "../contract/contract.contract.ts";

type Done = Reply<typeof changeKeeper>;

type KeeperFormProps = { of: readonly { id: number; contractNo: string }[]; onClose: () => void };

/** 换管家, of one contract or of many; afterwards each with what became of it. */
export function KeeperForm({ of, onClose }: KeeperFormProps) {
  const refresh = useRefresh();
  const form = useForm(changeKeeper.body, { ids: of.map((c) => c.id) });
  const [done, setDone] = useState<Done>();
  const save = async () => {
    let reply: Done | undefined;
    const sent = await form.submit(async (body) => {
      reply = await send(changeKeeper, { body });
    });
    if (!sent || !reply) return;
    await refresh();
    if (reply.changed === of.length) {
      toast(of.length > 1 ? `已更换 ${of.length} 份合同的管家` : "已更换管家");
      onClose();
    } else setDone(reply);
  };
  const one = of.length === 1 ? of[0]! : undefined;
  return (
    <ManyDialog
      title={one ? `换管家 ${one.contractNo}` : `批量换管家 ${of.length} 份合同`}
      width={done ? 640 : 460}
      busy={form.busy}
      done={done !== undefined}
      ok="更换"
      run={save}
      onClose={onClose}
      said={done && `已更换 ${done.changed} 份，${done.rows.length - done.changed} 份没有更换。`}
    >
      {done ? (
        <RowTable
          schema={changeKeeper.reply.shape.rows}
          rows={done.rows}
          columns={["contractNo", "partyName", "before", resultColumn("已更换")]}
        />
      ) : (
        <FormFields
          form={form}
          label={72}
          fields={[
            {
              key: "managerId",
              input: (p) => <RecordSelect {...p} source={PEOPLE} placeholder="姓名、手机" />,
            },
          ]}
        />
      )}
    </ManyDialog>
  );
}
