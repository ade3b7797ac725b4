import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { overCreditText } from "../../customer/company/credit.rules.ts";
import { creditUse } from "../../customer/company/credit.service.ts";
import type { CreditRule } from "../config/config.rules.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import type { Plan } from "../schedule/line.rules.ts";

type Asked = { contract: Pick<ContractRecord, "kind" | "partyId">; plan: Plan };

/** How far what falls due on signing would take the company beyond its limit, in words; nothing while it fits. */
export async function overCredit(
  read: Read,
  { contract, plan }: Asked,
  lock = false,
): Promise<string | undefined> {
  if (contract.kind !== "company" || !contract.partyId) return undefined;
  const use = await creditUse(read, contract.partyId, lock);
  return use && overCreditText(use, plan.totals.atSigning);
}

/** A contract beyond the limit is handed in only where the village lets it, by who may set limits, and with a reason. */
export async function creditGranted(
  act: Act,
  weighed: Asked & { config: { creditRule: CreditRule } },
  reason: string | undefined,
): Promise<string | null> {
  const over = await overCredit(act, weighed, true);
  if (!over) return null;
  if (weighed.config.creditRule === "refuse") throw new Refusal("overCredit", over, 422);
  if (!act.who.permits.has("#11302")) throw new Refusal("overCredit", `${over}，需要“账期与额度”权限`, 422);
  if (!reason) throw invalid({ field: "creditReason", msg: `${over}，请填写签约原因（2-200字）` });
  return reason;
}

/** Between handing in and signing other contracts may have used the limit up. */
export async function refuseOverCredit(
  act: Act,
  asked: Asked & { creditReason: string | null },
): Promise<void> {
  const over = asked.creditReason ? undefined : await overCredit(act, asked, true);
  if (over) throw new Refusal("overCredit", `${over}，请撤回后重新提交`, 422);
}
