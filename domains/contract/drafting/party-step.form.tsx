import { Select } from "antd";
import { Suspense, useId } from "react";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import {
  ChoiceInput,
  FlagInput,
  type InputProps,
  TextInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { CERT_TYPES, GENDERS } from "../../customer/renter/words.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";
import { PartyNotes } from "./party-notes.panel.tsx";

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

/** Operators who work in the village. */
export const PeopleSelect = ({
  value,
  onChange,
  id,
  people,
}: InputProps<number> & { people: readonly { operatorId: number; name: string }[] | undefined }) => (
  <Select
    id={id ?? ""}
    value={value ?? null}
    allowClear
    placeholder="请选择"
    showSearch={{ optionFilterProp: "label" }}
    options={(people ?? []).map((p) => ({ value: p.operatorId, label: p.name }))}
    onChange={(next) => onChange(next ?? undefined)}
  />
);

/** Step 2: who signs, who else moves in, who looks after it. */
export function PartyStep({ draft }: { draft: Draft }) {
  const { form, errors } = draft;
  const { party } = KINDS[form.kind];
  const id = useId();
  return (
    <div className="form cf__grid">
      <h3 className="form__section">{party}</h3>
      <div className={`fi fi--wide ${errors["partyId"] ? "fi--bad" : ""}`}>
        <label className="fi__label fi__label--must" htmlFor={id}>
          {party}
        </label>
        <div className="fi__in">
          <Picker draft={draft} inputId={id} />
        </div>
        {errors["partyId"] && <p className="fi__msg">{errors["partyId"]}</p>}
      </div>
      <PartyNotes draft={draft} />
      {form.kind === "renter" && <Occupants draft={draft} />}
      {form.kind === "company" && (
        <p className="fi--wide dim">入住人在合同签署后登记，可以随时更换，不需要重新签订合同</p>
      )}
      <h3 className="form__section">经办</h3>
      <OneField
        form={draft}
        path="signerId"
        more={{ input: (p) => <PeopleSelect {...(p as InputProps<number>)} people={draft.data?.people} /> }}
      />
      <OneField
        form={draft}
        path="managerId"
        more={{ input: (p) => <PeopleSelect {...(p as InputProps<number>)} people={draft.data?.people} /> }}
      />
      <OneField form={draft} path="remark" more={{ wide: true }} />
    </div>
  );
}

/** Customers are chosen, brought from another store and registered by the one picker that their domain has. */
function Picker({ draft: { form, patch }, inputId }: { draft: Draft; inputId: string }) {
  return useSlot("contract.party").map((panel) => {
    const View = panelOf(panel);
    return (
      <Suspense key={panel.key} fallback={<RowsSkeleton rows={1} />}>
        <View
          id={0}
          pick={{
            inputId,
            kind: form.kind,
            villageId: form.villageId || undefined,
            value: form.partyId ?? undefined,
            onChange: (partyId) => patch({ partyId: partyId ?? null }),
          }}
        />
      </Suspense>
    );
  });
}
