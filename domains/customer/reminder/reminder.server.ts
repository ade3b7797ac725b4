import { serveList } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { effects, previewOf } from "./preview.queries.ts";
import {
  addReminder,
  disableReminder,
  editReminder,
  enableReminder,
  getReminder,
  previewReminder,
  removeReminder,
} from "./reminder.contract.ts";
import { reminderRow, reminders, roleNames, sentBy } from "./reminder.queries.ts";
import { ownRule, seenRule } from "./rule.service.ts";
import { changeRule, createRule, noteRule, switchRule } from "./save.service.ts";

/** Of the stores of a rule only those in scope are told. */
const inSight = ({ who }: Read, villageIds: readonly number[]) =>
  villageIds.filter((village) => who.villages.includes(village));

export default [
  serveList(reminders),

  serveRead(getReminder, async (read, { params }) => {
    const rule = await seenRule(read, params.id);
    const { villageIds, roleIds, mergePerPayer, stopOn, ways } = rule;
    return {
      ...(await reminderRow(read, rule.id)),
      villageIds: inSight(read, villageIds),
      roleIds,
      roleNames: await roleNames(read, roleIds),
      mergePerPayer,
      stopOn,
      ways,
      used: (await sentBy(read, rule.id)).used,
    };
  }),

  serveRead(previewReminder, async (read, { params }) => previewOf(read, await seenRule(read, params.id))),

  serve(addReminder, async (act, { body }) => ({ id: await createRule(act, body) })),

  serveDone(editReminder, async (act, { params, body: { version, ...input } }) =>
    changeRule(act, await ownRule(act, params.id, version), input),
  ),

  serveDone(enableReminder, async (act, { params, body }) =>
    switchRule(act, await ownRule(act, params.id, body.version), true),
  ),

  serveDone(disableReminder, async (act, { params, body }) =>
    switchRule(act, await ownRule(act, params.id, body.version), false),
  ),

  serve(removeReminder, async (act, { params, query }) => {
    const rule = await ownRule(act, params.id, query.version);
    await act.tx.deleteFrom("reminderRule").where("id", "=", rule.id).execute();
    await noteRule(act, rule, "删除", `删除提醒规则“${rule.name}”`);
    return null;
  }),
  serveList(effects),
];
