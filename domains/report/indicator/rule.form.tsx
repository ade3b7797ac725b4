import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { setIndicatorRule, type indicatorRules } from "./indicator.contract.ts";

/** How one figure is judged from now on. */
export const RuleForm = ({
  rule,
  onClose,
}: {
  rule: Reply<typeof indicatorRules>[number];
  onClose: () => void;
}) => (
  <FormDialog
    call={setIndicatorRule}
    title={`${rule.title}的规则`}
    done="规则已保存"
    initial={rule}
    fields={[
      { key: "better", help: "越小越好的指标，低于目标即为完成" },
      { key: "greenFrom", help: "实际达到目标的百分比" },
      { key: "amberFrom", help: "低于此为红色" },
      {
        key: "defaultTarget",
        help: "门店某月没有单独设置目标时使用，留空为没有目标",
        input: ({ value, onChange, ...p }) => {
          // nothing typed takes the target away
          const put = (next: number | undefined) => onChange((next ?? null) as number);
          const shared = { ...p, value: value ?? undefined, onChange: put };
          return rule.kind === "rate" ? (
            <NumberInput {...shared} unit="%" scale={100} />
          ) : (
            <MoneyInput {...shared} />
          );
        },
      },
      { key: "weight", help: "0 到 100，在门店排行“目标完成”中的权重，0 表示不计入" },
    ]}
    onClose={onClose}
  />
);
