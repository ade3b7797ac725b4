import { sql } from "kysely";
import { proposeAdjust, proposeVoid } from "../../domains/finance/bill-acts/approval.service.ts";
import { isPayable, netOf } from "../../domains/finance/bill/bill.rules.ts";
import { lockBills } from "../../domains/finance/bill/bills.queries.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { acting } from "../acting.ts";
import type { Company } from "../company.ts";

/** Kinds of acts that need approval in the company, by what is typed in 审批配置. `fallback` is the enterprise's admin. */
export async function makeModules(
  co: Company,
  stores: readonly number[],
  people: { fallback: number; financeRole: number },
): Promise<void> {
  const { sink, enterpriseId, ids } = co;
  const by = { createdBy: people.fallback, updatedBy: people.fallback };
  type Lane = { name: string; condition: object; nodes: readonly ("finance" | "admin")[] };
  const module = async (moduleType: string, name: string, lanes: readonly Lane[]) => {
    const moduleId = ids("module");
    const fallbackOperatorId = people.fallback;
    await sink.add("module", { id: moduleId, enterpriseId, moduleType, name, fallbackOperatorId, ...by });
    for (const villageId of stores) await sink.add("module_village", { moduleId, moduleType, villageId });
    const process = async (
      orderNum: number,
      title: string,
      conditions: object[],
      nodes: readonly ("finance" | "admin")[],
    ) => {
      const processId = ids("process");
      await sink.add("process", {
        id: processId,
        moduleId,
        name: title,
        orderNum,
        conditions: JSON.stringify(conditions),
        isDefault: !conditions.length,
      });
      for (const [i, who] of nodes.entries())
        await sink.add("node", {
          id: ids("node"),
          processId,
          orderNum: i + 1,
          name: who === "finance" ? "财务主管" : "企业管理员",
          by: who === "finance" ? "role" : "operators",
          operatorIds: who === "finance" ? [] : [people.fallback],
          roleId: who === "finance" ? people.financeRole : null,
          mode: "any",
          remindHours: 24,
        });
    };
    for (const [i, lane] of lanes.entries()) await process(i + 1, lane.name, [lane.condition], lane.nodes);
    await process(lanes.length + 1, "默认流程", [], []);
  };
  const from = (field: string, value: number, both = false): Lane => ({
    name: `${value / 100}元以上`,
    condition: { field, op: "gte", value },
    nodes: both ? ["finance", "admin"] : ["finance"],
  });
  const below: Lane = {
    name: "低于底价",
    condition: { field: "belowLowest", op: "eq", value: 1 },
    nodes: ["admin"],
  };
  await module("billVoid", "账单作废审批", [from("amount", 2_000_000, true), from("amount", 100_000)]);
  await module("billAdjust", "减免审批", [from("amount", 200_000, true), from("amount", 50_000)]);
  await module("renterContract", "租客签约审批", [below]);
  await module("renewal", "续租审批", [below]);
}

/** A few bills that wait for approval today, submitted by a store manager as anybody would. */
export async function makeWaiting(
  place: Pick<Database, "pool" | "db">,
  villageId: number,
  submitterId: number,
  now: Date,
): Promise<void> {
  await acting(place, submitterId, now, async (act) => {
    // far from today, so that what people try first is not among them
    const { rows } = await sql<{ id: number }>`
      select id from bill where village_id = ${villageId} and source = 'schedule' and direction = 'receivable'
        and voided_at is null and settled = 0 and written_off = 0 and amount >= 150000
      order by due_date desc, id desc limit 3`.execute(act.tx);
    const bills = await lockBills(
      act,
      rows.map((row) => row.id),
    );
    const [first, ...others] = bills;
    if (!first) return;
    const line = first.lines.find((l) => isPayable(l) && netOf(l) >= 80_000);
    if (line)
      await proposeAdjust(
        act,
        [{ bill: first, changes: [{ lineId: line.id, amount: -60_000 }] }],
        "空调维修期间房间不能使用，减免部分租金",
      );
    await proposeVoid(act, others, "续租后重复生成的账单");
  });
}
