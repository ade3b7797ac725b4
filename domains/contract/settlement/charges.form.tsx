import { Select } from "antd";
import { useEffect } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Words } from "../../../platform/kernel/field.ts";
import { CHARGEABLE } from "../../finance/subject/subject.contract.ts";
import { type SettleDraft, findings } from "./settlement.contract.ts";
import { workedOut } from "./settlement.rules.ts";

type Charge = SettleDraft["charges"][number];

/** The deductions; with a quantity and a price the amount is what they come to. */
export function Charges<V>({
  form,
  kinds,
  sheetsOf,
}: {
  form: FormState<V>;
  kinds: Words;
  /** Whose hand-over sheets propose charges. */
  sheetsOf?: { contractId: number; roomIds?: readonly number[] | undefined } | undefined;
}) {
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
      foot={() =>
        sheetsOf && (
          <Button
            size="sm"
            run={async () => {
              const { contractId, roomIds = [] } = sheetsOf;
              const query = { contractId, roomIds: roomIds.join(",") };
              const found = (await send(findings, { query: query as never })) as Charge[];
              const key = (c: Charge) => [c.kind, c.title, c.note].join(" ");
              const there = new Set((charges ?? []).map(key));
              const fresh = found.filter((c) => !there.has(key(c)));
              set("charges", [...(charges ?? []), ...fresh]);
              toast(fresh.length ? `已带入 ${fresh.length} 项` : "验房单没有新的扣款");
            }}
          >
            带入验房扣款
          </Button>
        )
      }
    />
  );
}
