import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { RuleEffect } from "../reminder/effect.panel.tsx";
import { PushList, SendLog } from "./pushes.panel.tsx";
import { PAGE } from "../push/push.rules.ts";
import "../record/record.css";

const TABS = [
  { key: "tasks", title: "推送任务", Panel: PushList },
  { key: "auto", title: "自动通知", Panel: RuleEffect },
  { key: "log", title: "发送记录", Panel: SendLog },
] as const;

/** 信息推送: what staff tell many customers at once, what rules tell them by themselves, and who got it. */
export default function MessagesPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = TABS.find((tab) => tab.key === address.get("tab")) ?? TABS[0];
  return (
    <TabPage label="信息推送" items={TABS} on={on.key} onChange={(tab) => go(PAGE, { tab })}>
      <on.Panel />
    </TabPage>
  );
}
