import { useState } from "react";
import type { ZodType } from "zod";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { BlackBar, KnownRenter } from "./known.panel.tsx";
import { identityChanged, renterFields, type Typed } from "./fields.form.tsx";
import { addRenter, editRenter, type getRenter } from "./renter.contract.ts";
import "../record/record.css";

type Renter = Reply<typeof getRenter>;

/** What the form starts with. Numbers that are shown masked stay out: left empty they stay as they are. */
const startOf = (renter: Renter): Partial<Typed> => {
  const { phone: _, certNo: __, emergencyPhone: ___, guardianPhone: ____, ...rest } = renter;
  return rest;
};

/** 新增租客 and 编辑租客: the certificate first, because it says the most. */
export function RenterForm({
  renter,
  villageId,
  onMade,
  onClose,
}: {
  renter?: Renter | undefined;
  /** The store of a new record, where the form stands over another. */
  villageId?: number | undefined;
  /** Takes the new record, where the form stands over another; left out, the list opens it. */
  onMade?: (id: number) => void;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const [, set] = useAddress();
  const made = onMade ?? ((id: number) => set({ id }));
  const call = renter ? editRenter : addRenter;
  const form = useForm<Typed>(
    call.body as unknown as ZodType<unknown, Typed>,
    renter
      ? startOf(renter)
      : { phoneArea: "+86", source: "walkIn", ...(villageId && { homeVillageId: villageId }) },
  );
  const [fields] = useState(() => renterFields(form.set, renter));
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  const submit = async () => {
    let reply: Reply<typeof addRenter> | undefined;
    const sent = await form.submit(async (body) => {
      reply = renter
        ? await send(editRenter, { params: { id: renter.id }, body: body as never })
        : await send(addRenter, { body: body as never });
    });
    if (!sent || !reply) return;
    toast(renter ? "租客资料已保存" : "租客已登记");
    if (reply.phoneUsedBy) toast(`该手机号也登记在租客“${reply.phoneUsedBy}”名下，请核对`, "warning");
    onClose();
    if (!renter) made(reply.id);
    await refresh();
  };
  return (
    <FormFrame
      title={renter ? `编辑租客 ${renter.name}` : "新增租客"}
      width={720}
      form={form}
      submit={submit}
      close={close}
      note={renter?.signed && identityChanged(form.values, renter) && "已签合同，姓名和证件按更正保存"}
    >
      <FormFields
        form={form}
        cols={2}
        fields={[
          fields.certType,
          fields.certNo,
          {
            show: (v) => (
              <>
                <KnownRenter
                  typed={v}
                  self={renter?.id}
                  picking={onMade !== undefined}
                  onLinked={(id) => {
                    onClose();
                    made(id);
                  }}
                />
                <BlackBar typed={v} />
              </>
            ),
          },
          ...fields.rest,
        ]}
      />
    </FormFrame>
  );
}
