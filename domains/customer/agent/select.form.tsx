import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { listAgencies } from "./agency.contract.ts";
import { agentOptions } from "./agent.contract.ts";
import { listRules } from "../commission/rule.contract.ts";

export const AGENTS: Source = {
  call: agentOptions,
  option: (a: { id: number; name: string; phone: string; agencyName: string }) => ({
    value: a.id,
    label: a.name,
    note: `${a.agencyName} ${a.phone}`,
  }),
};

/** Who brought a customer. */
export const AgentSelect = (p: InputProps<number>) => (
  <RecordSelect {...p} source={AGENTS} placeholder={p.placeholder ?? "姓名、手机号"} />
);

export const AGENCIES: Source = {
  call: listAgencies,
  query: { state: "enabled", want: "rows" },
  option: (a: { id: number; name: string }) => ({ value: a.id, label: a.name }),
};

/** Rules by their series; the version in force speaks for it. */
export const RULES: Source = {
  call: listRules,
  query: { current: "1", want: "rows" },
  option: (r: { seriesId: number; name: string; tierText: string }) => ({
    value: r.seriesId,
    label: r.name,
    note: r.tierText,
  }),
};
