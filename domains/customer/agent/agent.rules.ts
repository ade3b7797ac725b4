import type { Words } from "../../../platform/kernel/field.ts";

export const ENABLED = {
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
} as const satisfies Words;
export type Enabled = keyof typeof ENABLED;

/** Stands where the agent of a new lead or reservation works no more. */
export const DISABLED = "该经纪人已停用";
export const OVER = "所属机构不在合作期内";
export const OWN_LEASE = "经纪人不能为本人租约提佣";

/** Why somebody may not be the agent of a customer, or undefined; `agencyOver`: today is outside the term of the agency. */
export function agentRefusal(
  agent: { state: string; agencyState: string | null; agencyOver: boolean; phone: string },
  customerPhone: string | undefined,
): string | undefined {
  if (agent.state === "disabled" || agent.agencyState === "disabled") return DISABLED;
  if (agent.agencyOver) return OVER;
  return customerPhone && customerPhone === agent.phone ? OWN_LEASE : undefined;
}

/** The page of agents; its other tabs are ?tab=agency, rule and settle. */
export const PAGE = "/configuration/AgentManagement";
