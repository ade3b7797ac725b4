import { forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { removeAt, revise } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { accountClosed } from "./account.contract.ts";
import { type PayChannel, placeText, unfit, type Purpose, type Terminal } from "./channel.rules.ts";
import {
  type AccountFound,
  type BindingFound,
  bindingAt,
  bindingsOf,
  foundAccount,
} from "./account.queries.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("village_account_village_id_terminal_pay_type_purpose_key", {
  field: "purpose",
  msg: "该用途已配置账户，请更换原有账户",
});

type Place = { terminal: Terminal; payType: PayChannel; purpose: Purpose };

/** A village in scope. */
async function villageIn(read: Read, id: number) {
  const village = await aRow(read, "village", ["id", "name", "code", "enterpriseId"], {
    id: inScope(read.who, id),
  });
  if (!village) throw notFound();
  return village;
}

/** The account for a place of a village, or the sentence why it will not do. It stays as it is until the act is done. */
async function fitting(act: Act, villageId: number, payType: PayChannel, id: number): Promise<AccountFound> {
  const account = await foundAccount(act, id, { lock: true });
  const { enterpriseId } = await villageIn(act, villageId);
  if (account.enterpriseId !== enterpriseId) throw notFound();
  const why = unfit(payType, account);
  if (why) throw invalid({ field: "merchantAccountId", msg: why });
  return account;
}

export async function bind(
  act: Act,
  at: Place & { villageId: number; merchantAccountId: number },
): Promise<number> {
  const account = await fitting(act, at.villageId, at.payType, at.merchantAccountId);
  const { id } = await act.tx
    .insertInto("villageAccount")
    .values(at)
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteBinding(act, at, undefined, account.name);
  return id;
}

/** New bills go to the new account; what was taken through the old one stays there. */
export async function rebind(
  act: Act,
  given: { id: number; merchantAccountId: number; version: number },
): Promise<{ id: number }> {
  const before = await bindingAt(act, given.id);
  if (!before) throw notFound();
  const account = await fitting(act, before.villageId, before.payType, given.merchantAccountId);
  await revise(
    act,
    "villageAccount",
    { id: given.id, version: given.version },
    { merchantAccountId: account.id, enabled: true },
  );
  await noteBinding(act, before, before.accountName, account.name);
  return { id: given.id };
}

export async function unbind(act: Act, id: number, version: number): Promise<null> {
  const before = await bindingAt(act, id);
  if (!before) throw notFound();
  await removeAt(act, "villageAccount", { id, version });
  await noteBinding(act, before, before.accountName, undefined);
  const { villageId, merchantAccountId, payType, purpose } = before;
  if (before.terminal !== "h5") return null;
  // codes come from the H5 terminal alone; they stay where another of its places still takes the same money
  const still = await act.tx
    .selectFrom("villageAccount")
    .select("id")
    .where((at) => at.and({ villageId, merchantAccountId, payType, terminal: "h5", enabled: true }))
    .where("purpose", "in", ["all", purpose])
    .executeTakeFirst();
  if (!still) await act.emit(accountClosed, { merchantAccountId, villageId });
  return null;
}

const noteBinding = (
  act: Act,
  at: Place & { villageId: number },
  from: string | undefined,
  to: string | undefined,
) =>
  act.note({
    kind: "village",
    recordId: at.villageId,
    villageId: at.villageId,
    action: "收款账户",
    summary: `${placeText(at)}：${from ?? "未配置"} → ${to ?? "未配置"}`,
    before: { 收款账户: from ?? null },
    after: { 收款账户: to ?? null },
  });

type Copying = { villageId: number; villageIds: number[]; replace: boolean };
const placeOf = (at: Place) => `${at.terminal} ${at.payType} ${at.purpose}`;

/**
 * For each village what it would be given. What the first village holds itself stays its own, and what is switched
 * off is not handed on.
 */
export async function copyPlan(read: Read, { villageId, villageIds, replace }: Copying) {
  const from = await villageIn(read, villageId);
  const targets = await Promise.all(
    villagesOf(read.who, [...new Set(villageIds)])
      .filter((id) => id !== villageId)
      .map((id) => villageIn(read, id)),
  );
  if (targets.some((t) => t.enterpriseId !== from.enterpriseId))
    throw invalid({ field: "villageIds", msg: "只能复制到同一企业的门店" });
  const rows = await bindingsOf(read, [villageId, ...targets.map((t) => t.id)]);
  const carried = rows.filter(
    (r) => r.villageId === villageId && r.state === "enabled" && r.holderVillageId === null,
  );
  return targets.map((target) => {
    const own = new Map(rows.filter((r) => r.villageId === target.id).map((r) => [placeOf(r), r]));
    const changes = carried.flatMap((wanted) => {
      const there: BindingFound | undefined = own.get(placeOf(wanted));
      const same = there?.merchantAccountId === wanted.merchantAccountId;
      return same || (there && !replace)
        ? []
        : [
            {
              wanted,
              there,
              place: placeText(wanted),
              from: there?.accountName ?? null,
              to: wanted.accountName,
            },
          ];
    });
    return { villageId: target.id, villageName: target.name, changes };
  });
}

export async function copyTo(act: Act, copying: Copying) {
  const plan = await copyPlan(act, copying);
  for (const { villageId, changes } of plan)
    for (const { wanted, there } of changes) {
      const { terminal, payType, purpose, merchantAccountId } = wanted;
      if (there) await rebind(act, { id: there.id, version: there.version, merchantAccountId });
      else if (!act.who.permits.has("252.add")) throw forbidden();
      else await bind(act, { villageId, terminal, payType, purpose, merchantAccountId });
    }
  return plan;
}
