import { sql, type RawBuilder } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { allBindings, Binding } from "./binding.contract.ts";

const ORDER = sql`array_position(array['counter', 'miniProgram', 'h5', 'app', 'pos'], u.terminal),
  array_position(array['wechat', 'alipay', 'unionpay', 'pos', 'cash', 'bankTransfer', 'till'], u.pay_type),
  array_position(array['all', 'rent', 'deposit'], u.purpose)`;

export type BindingFound = Binding & { villageId: number; holderVillageId: number | null };

/** What some villages receive through. A holder out of scope is not named. */
async function bindingsWhere(read: Read, where: RawBuilder<unknown>): Promise<BindingFound[]> {
  const { rows } = await sql<BindingFound>`
    select u.id, u.village_id "villageId", u.terminal, u.pay_type "payType", u.purpose,
      u.merchant_account_id "merchantAccountId", a.name "accountName", a.kind,
      a.holder_village_id "holderVillageId",
      case when a.holder_village_id is null then '公司本部' else coalesce(h.name, '其他门店') end "holderName",
      case when a.enabled and u.enabled then 'enabled' else 'disabled' end state, u.version
    from village_account u join merchant_account a on a.id = u.merchant_account_id
    left join village h on h.id = a.holder_village_id and h.id = ${anyOf(read.who.villages)}
    where ${where} order by u.village_id, ${ORDER}`.execute(read.tx);
  return rows;
}

export const bindingsOf = (read: Read, villageIds: readonly number[]): Promise<BindingFound[]> =>
  bindingsWhere(read, sql`u.village_id = ${anyOf(villageIds)}`);

/** One of them in scope, or nothing. */
export async function bindingAt(read: Read, id: number): Promise<BindingFound | undefined> {
  const [row] = await bindingsWhere(read, sql`u.id = ${id} and u.village_id = ${anyOf(read.who.villages)}`);
  return row;
}

type Query = z.output<typeof allBindings.query>;

/** Every village in scope with what it receives through, the ones that work first. */
export async function villageTable(read: Read, q: Query): Promise<z.input<typeof allBindings.reply>> {
  const part = q.keyword && containing(q.keyword);
  const { rows } = await sql<{ villageId: number; villageName: string; state: "open" }>`
    select id "villageId", name "villageName", state from village
    where id = ${anyOf(villagesOf(read.who, q.villageIds))}
      ${part ? sql`and (name ilike ${part} or code ilike ${part} or pinyin ilike ${part})` : sql``}
    order by array_position(array['open', 'preparing', 'closed'], state), name collate "zh-x-icu"`.execute(
    read.tx,
  );
  const all = Map.groupBy(
    await bindingsOf(
      read,
      rows.map((v) => v.villageId),
    ),
    (b) => b.villageId,
  );
  return rows.map((village) => ({ ...village, bindings: all.get(village.villageId) ?? [] }));
}
