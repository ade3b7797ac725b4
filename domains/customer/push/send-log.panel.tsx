import { ListPage } from "../../../platform/console/list.tsx";
import { pathTo } from "../../../platform/console/page.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { ruleLink, RULES } from "../reminder/rule-link.panel.tsx";
import { PAGE, RECIPIENT_STATES, SENT_BY } from "./push.rules.ts";
import { exportSendLog, sendLog } from "./send-log.contract.ts";

/** 发送记录: every message to a customer. */
export const SendLog = () => (
  <ListPage
    call={sendLog}
    unit="条"
    filters={[
      { kind: "village", key: "villageIds" },
      { kind: "choice", key: "channel", title: "渠道", words: CHANNELS, many: true },
      { kind: "choice", key: "state", title: "状态", words: RECIPIENT_STATES, many: true },
      { kind: "keyword", key: "keyword", title: "姓名、手机号、推送编号、规则名称" },
      { kind: "choice", key: "by", title: "来源", words: SENT_BY },
      { kind: "record", key: "ruleId", title: "提醒规则", source: RULES },
      { kind: "days", from: "from", to: "to", title: "时间" },
    ]}
    columns={[
      "at",
      "partyName",
      "address",
      "channel",
      {
        key: "source",
        to: (r) =>
          r.ruleId ? ruleLink(r.ruleId) : r.taskId ? pathTo(PAGE, { tab: "tasks", id: r.taskId }) : undefined,
      },
      { key: "body", width: 300 },
      "state",
      { key: "receipt", width: 200 },
      "tries",
    ]}
    card={{ title: "partyName", right: "state", lines: [["body"], ["at", "channel"]] }}
    exportCall={exportSendLog}
    emptyText="发给客户的每一条短信、邮件和站内消息都记在这里"
  />
);
