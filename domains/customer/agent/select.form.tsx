import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { AGENTS } from "./agent.contract.ts";

/** Who brought a customer. */
export const AgentSelect = (p: InputProps<number>) => (
  <RecordSelect {...p} source={AGENTS} placeholder={p.placeholder ?? "姓名、手机号"} />
);
