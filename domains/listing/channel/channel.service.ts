import { oneEnterprise } from "../../place/village/village.service.ts";
import { randomBytes } from "node:crypto";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { sql } from "kysely";
import type { z } from "zod";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { type Mapping, configOf } from "./adapter.rules.ts";
import type { addChannel } from "./channel.contract.ts";
import { roomChanged } from "../occupancy/occupancy.contract.ts";

constraintSays("channel_enterprise_id_name_key", { field: "name", msg: "渠道名称已存在" });

type Given = z.output<typeof addChannel.body>;

/** A secret that nobody guesses, sealed, and the hash that a feed is found by. */
export function newSecret({ cipher }: Pick<Act, "cipher">) {
  const secret = randomBytes(32).toString("base64url");
  return { secret: cipher.seal(secret), secretHash: cipher.hash(`feed ${secret}`) };
}

/** Names outside that nobody has typed are left out. */
const filled = (mapping: Given["mapping"]): Mapping =>
  Object.fromEntries(
    Object.entries(mapping).map(([kind, names]) => [
      kind,
      Object.fromEntries(Object.entries(names ?? {}).filter(([, name]) => name)),
    ]),
  );

/** The row of a form: its stores are in scope and of one enterprise. */
export async function rowOf(act: Act, given: Given) {
  const villageIds = [...new Set(villagesOf(act.who, given.villageIds))].toSorted((a, b) => a - b);
  const enterpriseId = await oneEnterprise(act, villageIds);
  const known = await act.tx
    .selectFrom("product")
    .select("id")
    .where("id", "=", anyOf(given.productIds))
    .where("enterpriseId", "=", enterpriseId)
    // one that is being deleted is not named
    .forKeyShare()
    .execute();
  if (known.length < new Set(given.productIds).size)
    throw invalid({ field: "productIds", msg: "请选择产品" });
  return {
    enterpriseId,
    name: given.name,
    adapter: given.adapter,
    config: JSON.stringify(configOf(given.adapter, given.config)),
    villageIds,
    leadDays: given.leadDays,
    kinds: given.kinds,
    productIds: given.productIds,
    minPictures: given.minPictures,
    showPrice: given.showPrice,
    phone: given.phone,
    mapping: JSON.stringify(filled(given.mapping)),
  };
}

/** Changes a channel on the version that somebody has seen; its rooms are looked at anew. */
export async function changeChannel(
  act: Act,
  row: { id: number; name: string; villageIds: readonly number[] },
  version: number,
  set: Record<string, unknown>,
  action: string,
  summary = `${action} ${row.name}`,
): Promise<void> {
  await revise(act, "channel", { id: row.id, version }, { ...set, seenDay: null, ...stamp(act) });
  await noteChannel(act, row, action, summary);
  await act.emit(roomChanged, { channelId: row.id });
}

export const noteChannel = (
  act: Act,
  row: { id: number; name: string; villageIds: readonly number[] },
  action: string,
  summary: string,
): Promise<void> =>
  act.note({
    kind: "channel",
    recordId: row.id,
    number: row.name,
    villageId: row.villageIds[0]!,
    action,
    summary,
  });

/** Takes whatever stands outside off; a feed is empty at once, others are told one by one. */
export async function withdrawAll(act: Act, channelId: number, direct: boolean): Promise<number> {
  const now = act.now.toISOString();
  const { numAffectedRows } = direct
    ? await sql`update listing set state = 'offline', sent_hash = null, next_try_at = null, failed_act = null, error = '',
        synced_at = ${now}, updated_at = ${now}, version = version + 1
        where channel_id = ${channelId} and state in ('online', 'queued', 'withdrawing')`.execute(act.tx)
    : await sql`update listing set state = case when sent_hash is null then 'pending' else 'withdrawing' end, tries = 0,
        failed_act = null, error = '', next_try_at = case when sent_hash is null then null else ${now}::timestamptz end,
        updated_at = ${now}, version = version + 1
        where channel_id = ${channelId} and state in ('online', 'queued', 'failed')`.execute(act.tx);
  return Number(numAffectedRows ?? 0);
}

/** Who asked through a channel and became nobody since: name, number and words go. */
export const eraseEnquiries = (act: Act, ids: readonly number[]) =>
  act.tx
    .updateTable("channelEnquiry")
    .set({ name: "已匿名", phone: "", message: "" })
    .where("id", "=", anyOf(ids))
    .execute();
