import { Select } from "antd";
import { Suspense, useId } from "react";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { KINDS } from "../contract/contract.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { Occupants } from "./occupants.form.tsx";
import { PartyNotes } from "./party-notes.panel.tsx";

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
