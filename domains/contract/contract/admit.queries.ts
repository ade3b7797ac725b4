import { allows, type Need } from "../../../platform/kernel/call.ts";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { needsOf, type ContractKind } from "./kind.rules.ts";

/** A call that is for all kinds of contracts is let through by the permits of any; this asks for those of one kind. */
export function demand(who: Who, kind: ContractKind, needs: Need): void {
  if (!allows(who.permits, needsOf(needs, kind))) throw forbidden();
}

/** Whoever calls about a contract has it in scope and holds the codes of its page. */
export async function admit(read: Read, id: number, { needs }: { needs: Need }): Promise<ContractKind> {
  const row = await read.tx
    .selectFrom("contract")
    .select(["villageId", "kind"])
    .where("id", "=", id)
    .executeTakeFirst();
  const kind = seen(read.who, row).kind as ContractKind;
  demand(read.who, kind, needs);
  return kind;
}
