import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CONTRACTS } from "../contract/contract.contract.ts";
import {
  CHARGES,
  type SettleDraft,
  type getSettlement,
  settleDraft,
  settlementActs,
} from "../settlement/settlement.contract.ts";
import { Charges } from "../settlement/charges.form.tsx";
import { SettleLines } from "./worked.panel.tsx";

type Asked = Body<typeof settlementActs.ask>;
type Shown = Reply<typeof getSettlement>;

/** What is asked of a leaving; the same for a new one and while it is worked on. */
function fieldsOf<V>(form: FormState<V>, contractId?: number): Field<V>[] {
  const fields: Field<Asked>[] = [
    { section: "退房" },
    "effectiveOn",
    "endReason",
    { key: "noticeOn", help: "租客提出退房的那一天，违约金按通知期计算时需要" },
    { key: "settleOn", help: "滞纳金算到这一天，不填为退房日" },
    { key: "reason", wide: true },
    { section: "扣款" },
    {
      show: () => <Charges form={form} kinds={CHARGES} sheetsOf={contractId ? { contractId } : undefined} />,
    },
    ...(may("#7203")
      ? ([
          { section: "违约金" },
          { key: "penalty", placeholder: "不填按合同约定" },
          { key: "penaltyReason", placeholder: "修改或免除时填写" },
        ] as Field<Asked>[])
      : []),
  ];
  return fields as unknown as Field<V>[];
}

/** A tenant gives notice. */
export const AskForm = ({
  contractId,
  onClose,
}: {
  contractId?: number | undefined;
  onClose: () => void;
}) => (
  <FormDrawer
    call={settlementActs.ask}
    title="新增退房申请"
    ok="提交申请"
    done="已登记退房申请"
    onClose={onClose}
    cols={2}
    width={960}
    initial={{ charges: [], endReason: "normal", ...(contractId && { contractId }) }}
    fields={(_, form) => [
      {
        key: "contractId",
        input: (p) => <RecordSelect {...p} source={CONTRACTS} placeholder="合同号、租客或房间" />,
      },
      ...fieldsOf(form),
    ]}
  />
);

/** What it comes to as it is being typed. */
function Live({ id, typed }: { id: number; typed: Partial<SettleDraft> }) {
  const parsed = settleDraft.safeParse(useDeferredValue(typed));
  const draft = parsed.success ? parsed.data : undefined;
  const { data, error } = useQuery({
    ...ask(settlementActs.preview, { params: { id }, body: { draft: draft as never } }),
    enabled: draft !== undefined,
    placeholderData: (before) => before,
  });
  if (!data) return error ? <p className="notice s-red">{error.message}</p> : null;
  return <SettleLines preview={data} />;
}

/** Inspection, readings, deductions: worked on until it is handed in. */
export const EditForm = ({ of, onClose }: { of: Shown; onClose: () => void }) => (
  <FormDrawer
    call={settlementActs.edit}
    title={`结算 ${of.actNo}`}
    ok="保存"
    done="已保存"
    params={{ id: of.id }}
    initial={{ ...(of.draft as unknown as SettleDraft), version: of.version }}
    onClose={onClose}
    cols={2}
    width={1080}
    fields={(_, form) => [
      ...fieldsOf(form, of.contractId),
      { section: "结算试算" },
      { show: (now) => <Live id={of.id} typed={now as Partial<SettleDraft>} /> },
    ]}
  />
);
