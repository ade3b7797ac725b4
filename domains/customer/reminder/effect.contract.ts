import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { EVENTS, RULE_STATES } from "./reminder.rules.ts";

const row = z.object({
  id: f.id,
  name: f.link("规则名称"),
  event: f.status("事件", EVENTS),
  offsets: z.array(z.number().int()).meta({ title: "提醒日", kind: "text" }),
  channels: f.tags("渠道", CHANNELS),
  villageNames: f.text("门店"),
  state: f.status("状态", RULE_STATES),
  sent: f.number("近 30 天发送", { unit: "条", help: "送达和付清的结果每分钟更新" }),
  delivered: f.number("送达", { unit: "条" }),
  failed: f.number("失败", { unit: "条" }),
  bills: f.number("提醒账单", { unit: "笔" }).nullable(),
  paid: f.number("7日内付清", { unit: "笔" }).nullable(),
  paidRate: f.percent("7日付清率", { help: "送达的账单中，任一次提醒后7日内付清的比例" }).nullable(),
});
export type EffectRow = z.output<typeof row>;

/** What automatic rules have done in the last 30 days, in the stores of whoever asks. */
export const ruleEffect = callsAt("/customer/api/v3/push/ruleEffect").get("", "自动通知效果", "18.query", {
  query: pageQuery("name").extend({
    ids: idList,
    villageIds: filter.villages(),
    event: filter.choices("事件", EVENTS),
    state: filter.choice("状态", RULE_STATES),
    keyword: filter.keyword("规则名称"),
  }),
  reply: pageReply(row),
});

/** Rules to choose from, for those who read what was sent. */
export const RULES: filter.Source = {
  call: ruleEffect,
  option: (r: { id: number; name: string; villageNames: string }) => ({
    value: r.id,
    label: r.name,
    note: r.villageNames,
  }),
};
