import { useState } from "react";
import type { ZodType } from "zod";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { ContactLines } from "../firm/contact-lines.form.tsx";
import { KnownFirm, PersonPick, WordPick } from "../firm/known.panel.tsx";
import { TagInput } from "../renter/tags.panel.tsx";
import { addCompany, companyCalls, editCompany, type getCompany } from "./company.contract.ts";
import { useCompanyWords } from "./words.panel.tsx";
import "../record/record.css";

type Company = Reply<typeof getCompany>;
type Typed = Body<typeof addCompany> & { version?: number };

/** 新增企业 and 编辑企业客户; contacts of one that is there are changed in their tab. */
export function CompanyForm({
  company,
  villageId,
  onMade,
  onClose,
}: {
  company?: Company | undefined;
  /** The store of a new record, where the form stands over another. */
  villageId?: number | undefined;
  /** Takes the new record, where the form stands over another; left out, the list opens it. */
  onMade?: (id: number) => void;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const words = useCompanyWords();
  const [, set] = useAddress();
  const made = onMade ?? ((id: number) => set({ id }));
  const [start] = useState<Partial<Typed>>(() =>
    company
      ? { ...company }
      : {
          contacts: [{ name: "", phone: "", main: true, getsBills: true }],
          ...(villageId && { homeVillageId: villageId }),
        },
  );
  const call = company ? editCompany : addCompany;
  const form = useForm<Typed>(call.body as unknown as ZodType<unknown, Typed>, start);
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  const submit = async () => {
    let id: number | undefined;
    const sent = await form.submit(async (body) => {
      const reply = company
        ? await send(editCompany, { params: { id: company.id }, body: body as never })
        : await send(addCompany, { body });
      ({ id } = reply);
    });
    if (!sent) return;
    toast(company ? "企业资料已保存" : "企业客户已登记");
    onClose();
    if (!company && id) made(id);
    await refresh();
  };
  const fields: Field<Typed>[] = [
    { key: "creditCode", title: "信用代码" },
    "name",
    {
      show: (v) => (
        <KnownFirm
          calls={companyCalls}
          number={v.creditCode}
          homeVillageId={v.homeVillageId}
          self={company?.id}
          picking={onMade !== undefined}
          onLinked={(id) => {
            onClose();
            made(id);
          }}
        />
      ),
    },
    { key: "homeVillageId", input: (p) => <VillageSelect {...p} /> },
    {
      key: "ownerId",
      input: (p) => (
        <PersonPick
          {...p}
          people={words.owners}
          kept={company && { id: company.ownerId, name: company.ownerName }}
        />
      ),
    },
    { key: "industry", input: (p) => <WordPick {...p} words={words.industries} /> },
    { key: "scale", input: (p) => <WordPick {...p} words={words.scales} /> },
    { key: "address", wide: true, input: (p) => <TextInput {...p} max={100} /> },
    { key: "tags", wide: true, input: (p) => <TagInput {...p} /> },
    { section: "联系人", note: "一个主联系人，对账单发给勾选接收账单的人", when: () => !company },
    { show: () => <ContactLines form={form} />, when: () => !company },
    { section: "其他" },
    { key: "remark", wide: true },
  ];
  return (
    <FormFrame
      title={company ? `编辑企业 ${company.name}` : "新增企业"}
      width={760}
      form={form}
      submit={submit}
      close={close}
    >
      <FormFields form={form} cols={2} fields={fields} />
    </FormFrame>
  );
}
