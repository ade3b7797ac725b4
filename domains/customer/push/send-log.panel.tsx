import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { ruleLink } from "../reminder/rule.panel.tsx";
import { NOTICE_AGAIN, PAGE } from "./push.rules.ts";
import { exportSendLog, resendMessage, sendLog } from "./send-log.contract.ts";

/** 发送记录: every message to a customer; those that failed go out again by hand. */
export function SendLog() {
  const act = useAct();
  const again = (id: number) =>
    act(
      resendMessage,
      { params: { id } },
      {
        done: "已安排重新发送",
        ask: {
          title: "重新发送",
          body: "确定把这条消息再发送一次吗？安静时段内的在时段结束后发送。",
          ok: "发送",
        },
      },
    );
  return (
    <ListPage
      call={sendLog}
      unit="条"
      filters={["villageIds", "channel", "state", "keyword", "by", "ruleId", "from"]}
      columns={[
        "at",
        "partyName",
        "address",
        "channel",
        {
          key: "source",
          to: (r) =>
            r.ruleId
              ? ruleLink(r.ruleId)
              : r.taskId
                ? pathTo(PAGE, { tab: "tasks", id: r.taskId })
                : undefined,
        },
        { key: "body", width: 300 },
        "state",
        { key: "receipt", width: 200 },
        "tries",
      ]}
      card={{ title: "partyName", right: "state", lines: [["body"], ["at", "channel"]] }}
      rowActions={(r) => [
        {
          label: "重发",
          need: "18.edit",
          why:
            r.state !== "failed"
              ? "只有发送失败的消息可以重发"
              : r.ruleId || r.taskId
                ? undefined
                : NOTICE_AGAIN,
          run: () => again(r.id),
        },
      ]}
      exportCall={exportSendLog}
      emptyText="发给客户的每一条短信、邮件和站内消息都记在这里"
    />
  );
}
