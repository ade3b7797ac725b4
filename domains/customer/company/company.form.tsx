import type { Reply } from "../../../platform/kernel/call.ts";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { FormFields } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ContactLines } from "../firm/contact-lines.form.tsx";
import { KnownFirm, PersonPick, WordPick } from "../firm/known.panel.tsx";
import { TagInput } from "../renter/tags.panel.tsx";
import { addCompany, companyCalls, editCompany, type getCompany } from "./company.contract.ts";
import { useCompanyWords } from "./words.panel.tsx";
import { type Standing, useCustomerForm } from "../record/customer.form.tsx";
import "../record/record.css";

type Company = Reply<typeof getCompany>;
type Typed = Body<typeof addCompany> & { version?: number };

/** 新增企业 and 编辑企业客户; contacts of one that is there are changed in their tab. */
export function CompanyForm({ company, ...standing }: Standing & { company?: Company | undefined }) {
  const words = useCompanyWords();
  const { form, frame, known } = useCustomerForm<Typed, { id: number }>(standing, {
    schema: (company ? editCompany : addCompany).body,
    start: () =>
      company
        ? { ...company }
        : {
            contacts: [{ name: "", phone: "", main: true, getsBills: true }],
            ...(standing.villageId && { homeVillageId: standing.villageId }),
          },
    isNew: !company,
    save: (body) =>
      company
        ? send(editCompany, { params: { id: company.id }, body: body as never })
        : send(addCompany, { body }),
    said: company ? "企业资料已保存" : "企业客户已登记",
  });
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
          {...known}
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
    <FormFrame title={company ? `编辑企业 ${company.name}` : "新增企业"} width={760} {...frame}>
      <FormFields form={form} cols={2} fields={fields} />
    </FormFrame>
  );
}
