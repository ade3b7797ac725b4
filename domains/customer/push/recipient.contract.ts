import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { BASE, pushId, words } from "./push-input.contract.ts";
import { RECIPIENT_STATES } from "./push.rules.ts";

const recipient = z.object({
  id: f.id,
  name: f.person("姓名"),
  channel: f.status("渠道", CHANNELS),
  address: f.phone("接收号码"),
  body: f.text("内容"),
  parts: f.number("条数"),
  state: f.status("状态", RECIPIENT_STATES),
  reason: f.text("原因"),
  tries: f.number("次数"),
  doneAt: f.instant("时间").nullable(),
  partyId: f.id,
});
export const listRecipients = call({
  method: "GET",
  path: `${BASE}/:id/recipients`,
  summary: "推送对象",
  needs: ["18.get", "18.query"],
  params: pushId,
  query: pageQuery("id").extend({ state: wordList(words(RECIPIENT_STATES)) }),
  reply: pageReply(recipient),
});

export const exportRecipients = exportOf({
  type: "pushRecipient",
  title: "推送对象",
  needs: "18.export",
  list: listRecipients,
  personal: true,
});

/** Whoever asked not to be written to any more. */
export const optOut = call({
  method: "PUT",
  path: `${BASE}/recipient/:id/optOut`,
  summary: "登记退订",
  needs: "18.edit",
  target: "pushTask",
  params: pushId,
  reply: z.null(),
});
