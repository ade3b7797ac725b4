import { useState, type ReactNode } from "react";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import {
  disableReminder,
  enableReminder,
  previewReminder,
  removeReminder,
  type ReminderRow,
  editReminder,
} from "./reminder.contract.ts";
import { timeHasCome } from "./reminder.rules.ts";
import { EditRule } from "./rule.form.tsx";

type Acted = Pick<ReminderRow, "id" | "name" | "state" | "mine" | "version">;
export type RuleActs = { of: (rule: Acted) => Actions; layer: ReactNode };

const WHOLE = "规则包含您权限以外的门店，请由可管理这些门店的人员修改";

/** What switching a rule on will do today. */
async function whatComes({ id }: Acted): Promise<string> {
  const { people, messages, at } = await send(previewReminder, { params: { id } });
  const daily = `启用后每天 ${at} 自动发送。`;
  if (!people) return `${daily}今天没有需要提醒的客户。`;
  const now = timeHasCome(at, timeInZone(new Date()).slice(11, 16));
  return `${daily}今天有 ${people} 位客户、${messages} 条消息，${now ? "启用后几分钟内发出" : `将于 ${at} 发出`}。`;
}

/** What can be done with a rule, the same in its row and in its drawer. */
export function useRuleActs(): RuleActs {
  const act = useAct();
  const [, set] = useAddress();
  const [editing, setEditing] = useState<number>();
  const of = (rule: Acted): Actions => {
    const sent = { params: { id: rule.id }, body: { version: rule.version } };
    const why = rule.mine ? undefined : WHOLE;
    return [
      rule.state === "off" && {
        label: "启用",
        does: enableReminder,
        main: true,
        why,
        run: async () => {
          const body = await whatComes(rule);
          await act(enableReminder, sent, {
            done: "已启用",
            ask: { title: `启用 ${rule.name}`, body, ok: "启用" },
          });
        },
      },
      { label: "编辑", does: editReminder, why, run: () => setEditing(rule.id) },
      rule.state === "on" && {
        label: "停用",
        does: disableReminder,
        why,
        run: () => act(disableReminder, sent, { done: "已停用" }),
      },
      {
        label: "删除",
        does: removeReminder,
        danger: true,
        why: why ?? (rule.state === "on" ? "请先停用" : undefined),
        run: async () => {
          const done = await act(
            removeReminder,
            { params: { id: rule.id }, query: { version: rule.version } },
            { done: "已删除", ask: { title: "删除规则", body: `确定删除“${rule.name}”吗？`, ok: "删除" } },
          );
          if (done !== undefined) set({ id: undefined });
        },
      },
    ];
  };
  return {
    of,
    layer: editing !== undefined && <EditRule id={editing} onClose={() => setEditing(undefined)} />,
  };
}
