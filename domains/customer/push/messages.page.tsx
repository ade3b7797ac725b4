import { useAddress, useGo } from "../../../platform/console/page.ts";
import { Underline } from "../../../platform/console/underline.tsx";
import { PushList } from "./pushes.panel.tsx";
import { SendLog } from "./send-log.panel.tsx";
import "./push.css";

const PAGE = "/configuration/MessageManagement";
const TABS = [
  { key: "tasks", title: "推送任务" },
  { key: "log", title: "发送记录" },
];

/** 信息推送: what staff tell many customers at once, and who got it. */
export default function MessagesPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = address.get("tab") === "log" ? "log" : "tasks";
  return (
    <div className="pushes">
      <Underline label="信息推送" items={TABS} on={on} onChange={(tab) => go(PAGE, { tab })} />
      {on === "log" ? <SendLog /> : <PushList />}
    </div>
  );
}
