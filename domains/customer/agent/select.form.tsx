import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { AGENTS } from "./agent.contract.ts";

/** Who brought a customer; of those that serve a store where one is given. */
export const AgentSelect = ({ villageId, ...p }: InputProps<number> & { villageId?: number | undefined }) => (
  <RecordSelect
    {...p}
    source={villageId ? { ...AGENTS, query: { villageId } } : AGENTS}
    placeholder={p.placeholder ?? "姓名、手机号"}
  />
);
