import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { ManySelect } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect, RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHARGEABLE } from "../../finance/subject/subject.contract.ts";
import type { ContractDetail } from "../contract/detail.contract.ts";
import { ChangeForm, type ChangeFormProps } from "../recut/change.form.tsx";
import { DUE_WORDS } from "../terms/terms.contract.ts";
import { type AmendDraft, LEAVE_DAY, amendActs, amendDraft } from "./amendment.contract.ts";

type Asked = Body<typeof amendActs.ask>;
const OFFSETS = [
  { value: -1, label: "上月" },
  { value: 0, label: "当月" },
  { value: 1, label: "次月" },
];

/** The rents, free days and fees that are agreed anew, a line each. */
function Rises({ form, contract }: { form: FormState<Asked>; contract: ContractDetail }) {
  const rooms = contract.rooms.filter((r) => !r.leaveDate).map((r) => ({ value: r.roomId, label: r.name }));
  return (
    <Lines<Asked, AmendDraft["rises"][number]>
      form={form}
      name="rises"
      heads={["起", ...(rooms.length > 1 ? ["房间"] : []), "新月租金", "或上调%"]}
      fields={
        rooms.length > 1
          ? [
              { key: "fromDate", width: 148 },
              {
                key: "roomId",
                width: 200,
                input: (p) => <OptionSelect {...p} clear options={rooms} placeholder="全部房间" />,
              },
              { key: "rent", width: 150 },
              { key: "percent", width: 110, placeholder: "如 5 或 -5" },
            ]
          : [
              { key: "fromDate", width: 148 },
              { key: "rent", width: 150 },
              { key: "percent", width: 110, placeholder: "如 5 或 -5" },
            ]
      }
      blank={{ fromDate: (form.values as Partial<AmendDraft>).effectiveOn ?? "" }}
      add="调整租金"
      most={100}
    />
  );
}

const Free = ({ form }: { form: FormState<Asked> }) => (
  <Lines<Asked, AmendDraft["free"][number]>
    form={form}
    name="free"
    heads={["免租起", "免租止"]}
    fields={[
      { key: "fromDate", width: 148 },
      { key: "toDate", width: 148 },
    ]}
    blank={{}}
    add="添加免租"
    most={12}
  />
);

const Fees = ({ form }: { form: FormState<Asked> }) => (
  <Lines<Asked, AmendDraft["fees"][number]>
    form={form}
    name="fees"
    heads={["费用科目", "收取方式", "金额", "止"]}
    fields={[
      {
        key: "feeId",
        width: 160,
        input: (p) => <RecordSelect {...p} source={CHARGEABLE} placeholder="科目" />,
      },
      { key: "kind", width: 120 },
      { key: "amount", width: 130 },
      { key: "toDate", width: 148 },
    ]}
    blank={{ kind: "recurring" }}
    add="新增费用"
    most={20}
  />
);

const fieldsOf = (form: FormState<Asked>, contract: ContractDetail): Field<Asked>[] => {
  const { terms } = contract;
  const fees = terms.fees
    .filter((fee) => fee.kind === "recurring")
    .map((fee) => ({ value: fee.feeId, label: fee.name || "费用" }));
  const rises = Boolean(terms.stepRule) || terms.steps.length > 0;
  const now = (text: string | number) => `现为 ${text}`;
  return [
    { section: "变更" },
    { key: "effectiveOn", help: "这一天起按新约定计费，之前的账单不变" },
    { key: "reason" },
    { section: "租金", note: `当前月租金 ${yuan(contract.currentRent ?? 0)}` },
    { show: () => <Rises form={form} contract={contract} /> },
    ...(rises ? (["keepRise"] as const) : []),
    { section: "租期与免租" },
    { key: "end", help: `现为 ${contract.endDate}，延长不超过12个月` },
    { show: () => <Free form={form} /> },
    { section: "费用" },
    ...(fees.length
      ? [
          {
            key: "endFees" as const,
            wide: true,
            input: (p: { value: number[] | undefined; onChange: (ids: number[] | undefined) => void }) => (
              <ManySelect {...p} options={fees} />
            ),
          } as Field<Asked>,
        ]
      : []),
    { show: () => <Fees form={form} /> },
    { section: "应收日与滞纳金", note: "不填的保持不变" },
    { key: "dueRule", help: now(DUE_WORDS[terms.due.rule][0]) },
    { key: "dueDays", when: (v) => v.dueRule === "advance" },
    {
      key: "dueMonthOffset",
      when: (v) => v.dueRule === "fixedDay",
      input: (p) => <OptionSelect {...p} options={OFFSETS} />,
    },
    { key: "dueDay", when: (v) => v.dueRule === "fixedDay" },
    { key: "graceDays", placeholder: now(terms.graceDays) },
    { key: "lateFeeDailyRate", placeholder: now(terms.lateFeeDailyRate) },
    { key: "lateFeeCapPercent", placeholder: now(terms.lateFeeCapPercent) },
    { section: "违约与退房", note: "不填的保持不变" },
    { key: "noticeDays", placeholder: now(terms.noticeDays) },
    { key: "leaveDayCharged", help: now(LEAVE_DAY[terms.leaveDayCharged ? "charged" : "free"][0]) },
    "penaltyRule",
    { key: "penaltyMonths", when: (v) => v.penaltyRule === "months" },
    { key: "penaltyPercent", when: (v) => v.penaltyRule === "remainingPercent" },
    { key: "penaltyCapMonths", when: (v) => v.penaltyRule === "remainingPercent" },
    "rentFreeClawback",
    { key: "holdoverPercent", placeholder: now(terms.holdoverPercent) },
  ];
};

/** Terms agreed anew, with what they do to the bills while they are being typed. */
export const AmendForm = (props: ChangeFormProps) => (
  <ChangeForm<Asked>
    {...props}
    calls={amendActs}
    title="变更条款"
    done="已登记变更，打印补充协议签字后确认生效"
    initial={{ rises: [], free: [], fees: [], endFees: [], keepRise: true }}
    draft={amendDraft}
    fields={(form) => fieldsOf(form, props.contract)}
  />
);
