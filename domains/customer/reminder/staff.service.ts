import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { tell } from "../../system/message/message.service.ts";
import { byStore } from "./facts.queries.ts";
import { EVENTS, ofBills, type ReminderEvent } from "./reminder.rules.ts";
import type { Rule } from "./rule.service.ts";

const TYPE_OF = { billDue: 2, overdue: 2, contractEnd: 3, reservationEnd: 4 } as const satisfies Record<
  ReminderEvent,
  number
>;

/** Those of some roles who work in a store. */
async function staffOf({ tx }: Pick<Read, "tx">, rule: Rule, villageId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("operator as o")
    .select("o.id")
    .where("o.enterpriseId", "=", rule.enterpriseId)
    .where("o.state", "=", "active")
    .where(
      sql<boolean>`(o.super_type <> '' or o.all_villages or o.village_ids @> array[${villageId}::bigint])`,
    )
    .where(
      sql<boolean>`exists (select from operator_assignment a
        where a.operator_id = o.id and a.role_id = ${anyOf(rule.roleIds)})`,
    )
    .execute();
  return rows.map((row) => row.id);
}

/** Who works in a store with something to say today, store by store. */
export async function staffToday(read: Read, rule: Rule, villages: readonly number[]) {
  if (!rule.receivers.includes("operator")) return [];
  const stores = await byStore(read, rule, villages);
  const told = [];
  for (const store of stores) told.push({ ...store, staff: await staffOf(read, rule, store.villageId) });
  return told.filter((store) => store.staff.length > 0);
}

/** Tells those of the rule's roles what there is today in each of their stores: one message a store, once. */
export async function tellStaff(act: Act, rule: Rule, villages: readonly number[]): Promise<void> {
  for (const { villageId, villageName, records, amount, names, staff } of await staffToday(
    act,
    rule,
    villages,
  )) {
    const sum = ofBills(rule.event) ? `，合计 ${yuan(amount)} 元` : "";
    await tell(act, {
      to: staff,
      type: TYPE_OF[rule.event],
      title: `${villageName} ${EVENTS[rule.event][0]} ${records} 笔`,
      content: `${rule.name}：${records} 笔${sum}。${names}${records > 5 ? " 等" : ""}`,
      ...(rule.event === "overdue" && { bizType: "overdueBills", bizId: villageId }),
      villageId,
      once: `rule.${rule.id}.${villageId}.${act.today}`,
    });
  }
}
