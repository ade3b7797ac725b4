import { counter } from "../../../platform/server/database/counter.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore, type Store } from "../../finance/bill/bill.sample.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { addTemplate } from "../../system/template/template.contract.ts";
import type { Channel, TemplateEvent } from "../../system/template/template.rules.ts";
import { addReminder, enableReminder, getReminder, previewReminder } from "./reminder.contract.ts";
import reminderJobs from "./reminder.job.ts";

export const RULES = ["251.query", "251.add", "251.edit", "251.enable", "251.disable", "251.delete"] as const;

const TEXT = "{姓名}您好，{房间}有{账单数}笔账单共{应付金额}元已逾期{逾期天数}天，请尽快缴纳。";

const next = counter();

/** A store, somebody who keeps its rules, and what they do. */
export async function reminding(house: TestHouse, today: Day) {
  const store: Store = await aStore(house);
  const keeper: Person = await house.person({
    permits: [...RULES],
    villages: [store.villageId],
    name: "周敏",
  });

  const template = async (more: { event?: TemplateEvent; channel?: Channel; body?: string } = {}) =>
    (
      await house.did(
        addTemplate,
        { as: keeper },
        { body: { name: `催缴${next()}`, event: "overdue", channel: "sms", body: TEXT, ...more } },
      )
    ).id;
  const typed = async (more: object = {}) => ({
    name: `逾期催缴${next()}`,
    event: "overdue" as const,
    offsets: [3],
    sendAt: "09:00",
    channels: ["sms" as const],
    templateIds: "templateIds" in more ? {} : { sms: await template() },
    receivers: ["renter" as const],
    villageIds: [store.villageId],
    monthlyCap: 10,
    ...more,
  });
  const rule = async (more: object = {}, as = keeper) => {
    const { id } = await house.did(addReminder, { as }, { body: await typed(more) });
    const { version } = await house.did(getReminder, { as }, { params: { id } });
    await house.did(enableReminder, { as }, { params: { id }, body: { version } });
    return id;
  };
  /** Somebody who owes a bill that was due so many days ago. */
  const debtor = async (name: string, days: number, more: { phone?: string; partyId?: number } = {}) => {
    const partyId =
      more.partyId ??
      (await aParty(house, name, { phone: more.phone ?? phoneOf(next()), villageId: store.villageId }));
    const billId = await aBill(house, store, partyId, {
      dueDate: addDays(today, -days),
      lines: [aLine("rent", 150_000)],
    });
    await house.database.pool.query("update bill set issued_at = $2 where id = $1 and issued_at is null", [
      billId,
      `${addDays(today, -days)}T00:00:00+08:00`,
    ]);
    return { partyId, billId };
  };
  const run = (name: string) =>
    perform(
      house,
      reminderJobs.find((job) => job.name === name)!,
      {},
      "test",
    );
  const preview = (id: number, as = keeper) => house.did(previewReminder, { as }, { params: { id } });
  const sent = async (id: number) =>
    (
      await house.database.pool.query<{ n: number; who: number }>(
        `select count(*)::int n, count(distinct recipient)::int who from outbox where source = 'rule' and source_id = $1`,
        [id],
      )
    ).rows[0]!;
  return { store, keeper, template, typed, rule, debtor, run, preview, sent };
}

const phoneOf = (n: number) => `139${String(10_000_000 + n)}`;
