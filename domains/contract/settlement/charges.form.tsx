import { Select } from "antd";
import { useEffect } from "react";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { SUBJECTS } from "../../finance/subject/subject.contract.ts";
import type { SettleDraft } from "./settlement.contract.ts";
import { workedOut } from "./settlement.rules.ts";

type Charge = SettleDraft["charges"][number];

const CHARGEABLE: Source = { ...SUBJECTS, query: { kinds: "income,agency" } };

/** The deductions; with a quantity and a price the amount is what they come to. */
export function Charges<V>({ form, kinds }: { form: FormState<V>; kinds: Words }) {
  const { set, values } = form;
  const { charges } = values as { charges?: Charge[] };
  useEffect(() => {
    for (const [i, { quantity, price, amount }] of (charges ?? []).entries()) {
      const sum = quantity && price ? workedOut(quantity, price) : undefined;
      if (sum !== undefined && sum !== amount) set(`charges.${i}.amount`, sum);
    }
  }, [charges, set]);
  return (
    <Lines<V, Charge>
      form={form}
      name={"charges" as never}
      heads={["类型", "费用科目", "名称", "数量", "单价", "金额", "合同条款", "说明"]}
      fields={[
        {
          key: "kind",
          width: 104,
          input: ({ id, value, onChange }) => (
            <Select
              {...(id && { id })}
              value={value}
              onChange={onChange}
              options={Object.entries(kinds).map(([value, [label]]) => ({ value, label }))}
              style={{ width: "100%" }}
            />
          ),
        },
        {
          key: "feeId",
          width: 128,
          input: (p) => <RecordSelect {...p} source={CHARGEABLE} placeholder="科目" />,
        },
        { key: "title", width: 120 },
        { key: "quantity", width: 80 },
        { key: "price", width: 96 },
        { key: "amount", width: 104 },
        { key: "clause", width: 120 },
        "note",
      ]}
      blank={{ kind: "utility" }}
      add="添加扣款"
      most={50}
    />
  );
}
