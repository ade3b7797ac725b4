import {
  ChoiceInput,
  FlagInput,
  TextInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { CERT_TYPES, GENDERS } from "../../customer/renter/words.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";

/** Who moves in beside the tenant who signs. */
export const Occupants = ({ draft }: { draft: Draft }) => (
  <>
    <h3 className="form__section">
      同住人<small>不含签约人；门锁权限随租期开通</small>
    </h3>
    <Lines<ContractForm, ContractForm["occupants"][number]>
      form={draft}
      name="occupants"
      heads={["姓名", "手机", "证件类型", "证件号", "性别", "关系", "门锁"]}
      blank={{ name: "", phone: "", certType: "idCard", relation: "", lockAccess: true }}
      add="添加同住人"
      most={49}
      fields={[
        { key: "name", width: 110 },
        {
          key: "phone",
          title: "手机",
          width: 130,
          input: (p) => <TextInput {...(p as InputProps<string>)} max={11} />,
        },
        {
          key: "certType",
          title: "证件类型",
          width: 120,
          input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={CERT_TYPES} />,
        },
        {
          key: "certNo",
          title: "证件号",
          width: 180,
          input: (p) => <TextInput {...(p as InputProps<string>)} max={18} placeholder="已存则不必重填" />,
        },
        {
          key: "gender",
          title: "性别",
          width: 90,
          input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={GENDERS} />,
        },
        {
          key: "relation",
          title: "关系",
          width: 90,
          input: (p) => <TextInput {...(p as InputProps<string>)} max={20} />,
        },
        {
          key: "lockAccess",
          title: "门锁权限",
          width: 90,
          input: (p) => <FlagInput {...(p as InputProps<boolean>)} />,
        },
      ]}
    />
  </>
);
