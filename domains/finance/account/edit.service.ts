import { sql } from "kysely";
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { z } from "zod";
import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays, heldSays } from "../../../platform/server/database/constraints.ts";
import {
  NEXT_VERSION,
  removeAt,
  revise,
  stamp,
  asSeen,
} from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { confirmPassword } from "../../access/session/password.service.ts";
import {
  ACCOUNT_KIND,
  accountClosed,
  type AccountInput,
  accountBody,
  type keysBody,
} from "./account.contract.ts";
import { type AccountFound, changeable, foundAccount, hasMoved, needHead } from "./account.queries.ts";
import {
  APP_TERMINALS,
  type AppId,
  HEAD,
  KEY_TITLES,
  type KeyName,
  TEXT_FIELDS,
  extraKeysOf,
  hasField,
  keysOf,
  maskedNumber,
  rateText,
  wrongKeys,
} from "./account.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("merchant_account_number", { field: "mchId", msg: "商户号已存在" });
constraintSays("merchant_account_bank", { field: "bankAccountNo", msg: "银行账号已存在" });
constraintSays("merchant_account_enterprise_id_name_key", { field: "name", msg: "账户名称已存在" });
const IN_USE = "账户已被使用，不能删除，可停用";
// pay orders, statements, shifts, submissions, mappings: whatever names it
heldSays("merchant_account", { code: "inUse", msg: IN_USE });

/** Who holds the account: a village in scope, or the head office of the operator's enterprise. */
async function holderOf(act: Act, input: AccountInput) {
  const { holderVillageId } = input;
  if (!holderVillageId) {
    const enterpriseId = (act.who.superType === "0" && input.enterpriseId) || act.who.enterpriseId;
    if (input.enterpriseId && input.enterpriseId !== enterpriseId) throw notFound();
    await needHead(act, enterpriseId);
    return { enterpriseId, holderVillageId: null, holderName: HEAD };
  }
  const village = await aRow(act, "village", ["enterpriseId", "name"], {
    id: inScope(act.who, holderVillageId),
  });
  if (!village || (input.enterpriseId && input.enterpriseId !== village.enterpriseId)) throw notFound();
  return { enterpriseId: village.enterpriseId, holderVillageId, holderName: village.name };
}

async function settlingOf(act: Act, input: AccountInput, enterpriseId: number, id?: number): Promise<string> {
  if (!input.settleToAccountId) return "";
  const to = await foundAccount(act, input.settleToAccountId).catch(() => undefined);
  if (!to || to.kind !== "bank" || to.enterpriseId !== enterpriseId || to.id === id)
    throw invalid({ field: "settleToAccountId", msg: "结算账户须为同一企业的银行账户" });
  return to.name;
}

/** Columns of an account; what its kind does not have is empty, whatever was sent. */
function columnsOf(input: AccountInput) {
  const { kind } = input;
  const settling = hasField(kind, "settling");
  const fee = hasField(kind, "fee");
  const texts = TEXT_FIELDS.map((field) => [field, hasField(kind, field) ? input[field] : ""]);
  return {
    ...(Object.fromEntries(texts) as Record<(typeof TEXT_FIELDS)[number], string>),
    name: input.name,
    kind,
    appIds: hasField(kind, "appIds") ? input.appIds.filter((a) => a.appId) : [],
    certExpiresOn: (hasField(kind, "certExpiresOn") && input.certExpiresOn) || null,
    statementMode: kind === "bank" ? input.statementMode! : "reconcile",
    feeRate: String(fee ? input.feeRate : 0),
    feeCap: (fee && input.feeCap) || null,
    settleDays: settling ? input.settleDays : 0,
    settleToAccountId: (settling && input.settleToAccountId) || null,
    handover: hasField(kind, "handover") && input.handover,
    supervised: input.supervised,
  };
}
const stored = ({ appIds, ...columns }: ReturnType<typeof columnsOf>) => ({
  ...columns,
  appIds: JSON.stringify(appIds),
});

const appIdText = (ids: readonly AppId[]) =>
  ids.map((a) => `${APP_TERMINALS[a.terminal]} ${a.appId}`).join("、");
type Told = ReturnType<typeof columnsOf> & { holderName: string; settleToName: string };

/** What the business log tells of two states: names for ids, numbers with their middle hidden. */
function told(before: Told, after: Told) {
  const words = (one: Told, other: Told) => ({
    ...one,
    ...Object.fromEntries(
      (["mchId", "subMchId", "bankAccountNo"] as const).map((field) => {
        const same = one[field] !== other[field] && maskedNumber(one[field]) === maskedNumber(other[field]);
        return [field, maskedNumber(one[field]) + (same && one === after ? "（中间位有变）" : "")];
      }),
    ),
    holderVillageId: one.holderName,
    settleToAccountId: one.settleToName,
    appIds: appIdText(one.appIds),
    feeRate: rateText(Number(one.feeRate)),
    feeCap: one.feeCap === null ? null : `${yuan(one.feeCap)} 元`,
  });
  return changesOf(accountBody.shape, words(before, after), words(after, before));
}

export async function createAccount(act: Act, input: AccountInput): Promise<number> {
  const { holderName: _, ...holder } = await holderOf(act, input);
  await settlingOf(act, input, holder.enterpriseId);
  const by = act.who.operatorId;
  const { id } = await act.tx
    .insertInto("merchantAccount")
    .values({ ...stored(columnsOf(input)), ...holder, createdBy: by, updatedBy: by })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteAccount(act, { id, ...holder, name: input.name }, "新增", {
    summary: `新增${ACCOUNT_KIND[input.kind][0]}账户 ${input.name}`,
  });
  return id;
}

export async function updateAccount(act: Act, id: number, input: AccountInput, version: number) {
  const before = await changeable(act, id);
  const moved = (before.holderVillageId ?? 0) !== input.holderVillageId;
  const holder = moved
    ? await holderOf(act, input)
    : {
        enterpriseId: before.enterpriseId,
        holderVillageId: before.holderVillageId,
        holderName: before.holderName,
      };
  if (holder.enterpriseId !== before.enterpriseId) throw notFound();
  const columns = columnsOf(input);
  const settleToName =
    columns.settleToAccountId === before.settleToAccountId
      ? before.settleToName
      : await settlingOf(act, input, before.enterpriseId, id);
  const fixed = [
    ...(moved ? ["holderVillageId"] : []),
    ...(["kind", "statementMode"] as const).filter((field) => columns[field] !== before[field]),
  ];
  if (fixed.length && (await hasMoved(act, id)))
    throw invalid(...fixed.map((field) => ({ field, msg: "账户已有流水，不能修改" })));
  if (columns.kind !== before.kind) await changeKind(act, id);
  const { holderName, ...held } = holder;
  await revise(act, "merchantAccount", { id, version }, { ...stored(columns), ...held, ...stamp(act) });
  const changes = told(before as unknown as Told, { ...columns, holderName, settleToName });
  if (changes) await noteAccount(act, { ...before, ...held, name: columns.name }, "修改", changes);
  return { id };
}

/** Another kind fits no place that the account has been given, and its keys are of no use. */
async function changeKind(act: Act, id: number): Promise<void> {
  const used = await act.tx
    .selectFrom("villageAccount")
    .select("id")
    .where("merchantAccountId", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (used) throw invalid({ field: "kind", msg: "账户已用于门店收款，请先移除门店配置" });
  await act.tx.deleteFrom("merchantKey").where("merchantAccountId", "=", id).execute();
}

export async function removeAccount(act: Act, id: number, version: number): Promise<null> {
  const before = await changeable(act, id);
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from village_account where merchant_account_id = ${id})
      or exists (select from merchant_account where settle_to_account_id = ${id}) used`.execute(act.tx);
  if (rows[0]!.used || (await hasMoved(act, id))) throw new Refusal("inUse", IN_USE);
  await removeAt(act, "merchantAccount", { id, version });
  await noteAccount(act, before, "删除", { summary: `删除账户 ${before.name}` });
  return null;
}

export async function switchAccount(act: Act, id: number, version: number, enabled: boolean) {
  const before = await changeable(act, id);
  const word = enabled ? "启用" : "停用";
  if (before.enabled === enabled) throw new Refusal("notAllowed", `账户已${word}`);
  await revise(act, "merchantAccount", { id, version }, { enabled, ...stamp(act) });
  await noteAccount(act, before, word, { summary: `${word}账户 ${before.name}` });
  if (!enabled) await act.emit(accountClosed, { merchantAccountId: id, villageId: null });
  return { id };
}

export const noteAccount = (
  act: Act,
  of: Pick<AccountFound, "id" | "name" | "holderVillageId">,
  action: string,
  more: { summary: string; before?: unknown; after?: unknown },
): Promise<void> =>
  act.note({
    kind: "account",
    recordId: of.id,
    number: of.name,
    villageId: of.holderVillageId,
    action,
    ...more,
  });

/** Bare base64, as Alipay's tools write keys, or PEM. */
const der = (text: string) => Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\s/g, ""), "base64");

/** The sentence of a key that is no key, or nothing. */
function unreadable(name: KeyName, text: string): string | undefined {
  const readers: Partial<Record<KeyName, (() => unknown)[]>> = {
    privateKey: [() => createPrivateKey(text)],
    wechatPublicKey: [() => createPublicKey(text)],
    appPrivateKey: (["pkcs8", "pkcs1"] as const).map(
      (type) => () => createPrivateKey({ key: der(text), format: "der", type }),
    ),
    alipayPublicKey: [() => createPublicKey({ key: der(text), format: "der", type: "spki" })],
  };
  const tries = readers[name];
  const reads = (read: () => unknown) => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  return !tries || tries.some(reads) ? undefined : `${KEY_TITLES[name]}无法识别，请检查文件内容`;
}

/** Seals new keys over the old ones. What is logged is that it was done, and of which. */
export async function replaceKeys(act: Act, id: number, input: z.output<typeof keysBody>) {
  if (!act.who.permits.has("#10101")) throw forbidden();
  const { version, password, certExpiresOn, ...given } = input;
  const account = await changeable(act, id);
  const known = await act.tx
    .selectFrom("merchantKey")
    .select("name")
    .where("merchantAccountId", "=", id)
    .execute();
  const wrong = wrongKeys(account.kind, given, new Set(known.map((k) => k.name)));
  if (wrong.length) throw invalid(...wrong);
  const names = [...keysOf(account.kind), ...extraKeysOf(account.kind)].filter((name) => given[name]);
  const broken = names.flatMap((field) => {
    const msg = unreadable(field, given[field]!);
    return msg ? [{ field, msg }] : [];
  });
  if (broken.length) throw invalid(...broken);
  asSeen(account, version);
  await confirmPassword(act, password);
  await act.tx
    .insertInto("merchantKey")
    .values(
      names.map((name) => ({
        merchantAccountId: id,
        name,
        sealed: act.cipher.seal(given[name]!),
        setAt: act.now.toISOString(),
        setBy: act.who.operatorId,
      })),
    )
    .onConflict((oc) =>
      oc.columns(["merchantAccountId", "name"]).doUpdateSet((eb) => ({
        sealed: eb.ref("excluded.sealed"),
        setAt: eb.ref("excluded.setAt"),
        setBy: eb.ref("excluded.setBy"),
      })),
    )
    .execute();
  const dated = hasField(account.kind, "certExpiresOn") && certExpiresOn;
  await act.tx
    .updateTable("merchantAccount")
    .set({ ...(dated && { certExpiresOn: dated }), version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  const titles = names.map((name) => KEY_TITLES[name]).join("、");
  await noteAccount(act, account, known.length ? "更换密钥" : "设置密钥", {
    summary: `${known.length ? "更换" : "设置"}${titles}`,
  });
  return { id };
}
