import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { RecordSelect, VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { addAgent, editAgent, type getAgent } from "./agent.contract.ts";
import { RULES } from "../commission-rule/rule.contract.ts";
import { AGENCIES } from "./agency.contract.ts";

type Agent = Reply<typeof getAgent>;
type Typed = Sent<typeof addAgent>["body"];

/** A number that stands there masked stays when it is left empty. */
export const stays = (masked: string | undefined) =>
  masked ? { placeholder: `${masked}，不修改请留空` } : {};

const fieldsOf = (agent?: Agent): readonly Field<Typed>[] => [
  { section: "经纪人" },
  "name",
  { key: "phone", ...stays(agent?.phone) },
  { key: "agencyId", input: (p) => <RecordSelect {...p} source={AGENCIES} placeholder="独立经纪人不选" /> },
  { key: "certNo", ...stays(agent?.certNo) },
  { key: "villageIds", wide: true, input: (p) => <VillagesInput {...p} /> },
  {
    key: "ruleId",
    wide: true,
    input: (p, v) => (
      <RecordSelect {...p} source={RULES} placeholder={v.agencyId ? "不选则随机构" : "请选择佣金规则"} />
    ),
  },
  { section: "收款账户", note: "结算佣金时付到这里" },
  "bankHolder",
  { key: "bankNo", ...stays(agent?.bankNo) },
  "bankName",
  "bankBranch",
];

/** What an edit starts with: masked numbers stay out. */
const startOf = ({
  name,
  agencyId,
  villageIds,
  ownRuleId,
  bankHolder,
  bankName,
  bankBranch,
  version,
}: Agent) => ({
  name,
  agencyId,
  villageIds,
  ruleId: ownRuleId,
  bankHolder,
  bankName,
  bankBranch,
  version,
});

/** 新增经纪人 and 编辑经纪人. */
export function AgentForm({ agent, onClose }: { agent?: Agent; onClose: () => void }) {
  const shape = { cols: 2, width: 720, ok: "保存", onClose } as const;
  return agent ? (
    <FormDrawer
      {...shape}
      call={editAgent}
      title={`编辑经纪人 ${agent.name}`}
      done="经纪人已保存"
      params={{ id: agent.id }}
      initial={startOf(agent)}
      fields={fieldsOf(agent) as never}
    />
  ) : (
    <FormDrawer {...shape} call={addAgent} title="新增经纪人" done="经纪人已登记" fields={fieldsOf()} />
  );
}
