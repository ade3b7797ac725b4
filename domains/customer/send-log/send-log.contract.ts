import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { RULES } from "../reminder/effect.contract.ts";
import { RECIPIENT_STATES, SENT_BY } from "../push/push.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const sendLogs = callsAt("/customer/api/v3/sendLog", "pushRecipient");

const sent = z.object({
  id: f.id,
  at: f.instant("时间"),
  partyName: f.person("对象"),
  address: f.phone("接收号码"),
  channel: f.status("渠道", CHANNELS),
  /** The number of a task, the name of a rule, or what a notice is about. */
  source: f.link("来源"),
  taskId: f.id.nullable(),
  ruleId: f.id.nullable(),
  body: f.text("内容"),
  state: f.status("状态", RECIPIENT_STATES),
  receipt: f.text("通道回执"),
  tries: f.number("次数"),
});
const sentIn = { kind: "days", title: "时间", from: "from", to: "to" } as const;
export const sendLog = sendLogs.get("", "发送记录", "18.query", {
  query: pageQuery("id").extend({
    villageIds: filter.villages(),
    channel: filter.choices("渠道", CHANNELS),
    state: filter.choices("状态", RECIPIENT_STATES),
    by: filter.choice("来源", SENT_BY),
    ruleId: filter.record("提醒规则", RULES),
    partyId: z.coerce.number().pipe(f.id).optional(),
    from: filter.by(f.dayInput("起").optional(), sentIn),
    to: filter.by(f.dayInput("止").optional(), sentIn),
    /** A whole phone number or address, or part of a name. */
    keyword: filter.keyword("姓名、手机号、推送编号、规则名称"),
  }),
  reply: pageReply(sent),
});

/** A message that failed goes out once more: at once, or when the quiet hours of the store are over. */
export const resendMessage = sendLogs.put("/:id/resend", "重发失败消息", "18.edit", {
  reply: z.object({ at: f.instant("发送时间") }),
});
export const exportSendLog = exportOf({
  type: "sendLog",
  title: "发送记录",
  needs: "18.export",
  list: sendLog,
  filters: { partyId: "客户编号" },
  personal: true,
});
