import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
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
    <Dialog
      title={one ? `换管家 ${one.contractNo}` : `批量换管家 ${of.length} 份合同`}
      width={done ? 640 : 460}
      onClose={onClose}
      footer={
        done ? (
          <Button look="main" run={onClose}>
            知道了
          </Button>
        ) : (
          <>
            <Button run={onClose}>取消</Button>
            <Button look="main" busy={form.busy} run={save}>
              更换
            </Button>
          </>
        )
      }
    >
      {done ? (
        <>
          <p className="asked">
            已更换 {done.changed} 份，{done.rows.length - done.changed} 份没有更换。
          </p>
          <RowTable
            schema={changeKeeper.reply.shape.rows}
            rows={done.rows}
            columns={[
              "contractNo",
              "partyName",
              "before",
              {
                own: "result",
                title: "结果",
                show: (row) =>
                  row.refusal ? (
                    <span className="bad">{row.refusal}</span>
                  ) : (
                    <StatusTag tone="green">已更换</StatusTag>
                  ),
              },
            ]}
          />
        </>
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
    </Dialog>
  );
}
