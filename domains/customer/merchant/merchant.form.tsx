import type { Reply } from "../../../platform/kernel/call.ts";
import { FormFrame } from "../../../platform/console/form/form-frame.tsx";
import { FormFields } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ContactLines } from "../firm/contact-lines.form.tsx";
import { KnownFirm, WordPick } from "../firm/known.panel.tsx";
import { PaperInput } from "../record/papers.panel.tsx";
import { TagInput } from "../renter/tags.panel.tsx";
import { addMerchant, merchantCalls, editMerchant, type getMerchant } from "./merchant.contract.ts";
import { useMerchantWords } from "./picture.panel.tsx";
import { type Standing, useCustomerForm } from "../record/customer.form.tsx";
import "../record/record.css";

type Merchant = Reply<typeof getMerchant>;
type Typed = Body<typeof addMerchant> & { version?: number };

/** What the form starts with. A certificate that is shown masked stays out: left empty it stays as it is. */
const startOf = ({ certNo: _, creditCode, ...rest }: Merchant): Partial<Typed> => ({
  ...rest,
  creditCode: creditCode ?? "",
});

/** 新增商户 and 编辑商户; contacts of one that is there are changed in their tab. */
export function MerchantForm({ merchant, ...standing }: Standing & { merchant?: Merchant | undefined }) {
  const words = useMerchantWords();
  const { form, frame, known } = useCustomerForm<Typed, { id: number }>(standing, {
    schema: (merchant ? editMerchant : addMerchant).body,
    start: () =>
      merchant
        ? startOf(merchant)
        : {
            subject: "company",
            contacts: [{ name: "", phone: "", main: true, getsBills: true }],
            ...(standing.villageId && { homeVillageId: standing.villageId }),
          },
    isNew: !merchant,
    save: (body) =>
      merchant
        ? send(editMerchant, { params: { id: merchant.id }, body: body as never })
        : send(addMerchant, { body }),
    said: merchant ? "商户资料已保存" : "商户已登记",
  });
  const individual = (v: Partial<Typed>) => v.subject === "individual";
  const certificate = merchant?.certNo ? { placeholder: `${merchant.certNo}，不修改请留空` } : {};
  const fields: Field<Typed>[] = [
    "subject",
    { key: "creditCode", title: "信用代码", when: (v) => !individual(v), must: true },
    { key: "certType", when: individual, must: true },
    { key: "certNo", when: individual, must: !merchant?.certNo, ...certificate },
    {
      show: (v) => (
        <KnownFirm
          calls={merchantCalls}
          number={individual(v) ? v.certNo : v.creditCode}
          kindOfNumber={individual(v) ? v.certType : undefined}
          homeVillageId={v.homeVillageId}
          self={merchant?.id}
          {...known}
        />
      ),
    },
    "name",
    "brand",
    { key: "category", input: (p) => <WordPick {...p} words={words.categories} /> },
    { key: "homeVillageId", input: (p) => <VillageSelect {...p} /> },
    "legalName",
    { key: "address", wide: true, input: (p) => <TextInput {...p} max={100} /> },
    { key: "tags", wide: true, input: (p) => <TagInput {...p} /> },
    { section: "联系人", note: "请设置一个主联系人", when: () => !merchant },
    { show: () => <ContactLines form={form} />, when: () => !merchant },
    { section: "营业执照", note: "到期前 30 天提醒门店店长", when: () => !merchant },
    {
      key: "licenceFileId",
      title: "执照文件",
      when: () => !merchant,
      input: (p) => <PaperInput {...p} purpose="paper10M" />,
    },
    { key: "licenceEndDay", when: () => !merchant, placeholder: "长期有效请留空" },
    { section: "其他" },
    { key: "remark", wide: true },
  ];
  return (
    <FormFrame title={merchant ? `编辑商户 ${merchant.name}` : "新增商户"} width={760} {...frame}>
      <FormFields form={form} cols={2} fields={fields} />
    </FormFrame>
  );
}
