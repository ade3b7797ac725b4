import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { FormFields } from "../../../platform/console/form/form.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { BlackBar, KnownRenter } from "./known.panel.tsx";
import { identityChanged, renterFields, type Typed } from "./fields.form.tsx";
import { addRenter, editRenter, type getRenter } from "./renter.contract.ts";
import { type Standing, useCustomerForm } from "../record/customer.form.tsx";
import "../record/record.css";

type Renter = Reply<typeof getRenter>;

/** What the form starts with. Numbers that are shown masked stay out: left empty they stay as they are. */
const startOf = (renter: Renter): Partial<Typed> => {
  const { phone: _, certNo: __, emergencyPhone: ___, guardianPhone: ____, ...rest } = renter;
  return rest;
};

/** 新增租客 and 编辑租客: the certificate first, because it says the most. */
export function RenterForm({ renter, ...standing }: Standing & { renter?: Renter | undefined }) {
  const { villageId } = standing;
  const { form, frame, known } = useCustomerForm<Typed, Reply<typeof addRenter>>(standing, {
    schema: (renter ? editRenter : addRenter).body,
    start: () =>
      renter
        ? startOf(renter)
        : { phoneArea: "+86", source: "walkIn", ...(villageId && { homeVillageId: villageId }) },
    isNew: !renter,
    save: (body) =>
      renter
        ? send(editRenter, { params: { id: renter.id }, body: body as never })
        : send(addRenter, { body: body as never }),
    said: renter ? "租客资料已保存" : "租客已登记",
    warning: ({ phoneUsedBy }) => phoneUsedBy && `该手机号也登记在租客“${phoneUsedBy}”名下，请核对`,
  });
  const [fields] = useState(() => renterFields(form.set, renter));
  return (
    <FormFrame
      title={renter ? `编辑租客 ${renter.name}` : "新增租客"}
      width={720}
      {...frame}
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
                <KnownRenter typed={v} self={renter?.id} {...known} />
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
