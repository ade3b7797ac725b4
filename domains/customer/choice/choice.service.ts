import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { noteParty } from "../../party/party/log.service.ts";
import { linkParty } from "../../party/party/party.service.ts";
import { oneOf } from "./choice.queries.ts";
import { isWhole, type ChoiceKind } from "./choice.rules.ts";

type Wanted = { kind: ChoiceKind; keyword: string; villageId: number };

/** Brings somebody whom another store registered to this one; a guessed number finds nobody. */
export async function linkFound(act: Act, { kind, keyword, villageId }: Wanted): Promise<{ id: number }> {
  inScope(act.who, villageId);
  const party = isWhole(keyword) ? await oneOf(act, { kind, keyword }) : undefined;
  if (!party) throw invalid({ field: "keyword", msg: "没有找到该客户" });
  const { name } = await act.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  if (await linkParty(act, party.id, villageId, "link"))
    await noteParty(act, { ...party, kind }, { action: "关联", summary: `关联到门店“${name}”` }, villageId);
  return { id: party.id };
}
