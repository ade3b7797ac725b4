import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ruleEffect } from "./effect.contract.ts";
import { dayText } from "./reminder.rules.ts";

const log = (rule: number, state?: string) =>
  pathTo("/configuration/MessageManagement", { tab: "log", ruleId: rule, state });

/** 自动通知: what the rules have sent by themselves, and what came of it. */
export const RuleEffect = () => (
  <ListPage
    call={ruleEffect}
    unit="条"
    filters={["villageIds", "event", "state", "keyword"]}
    columns={[
      {
        key: "name",
        width: 150,
        to: (r) =>
          may("251.query") ? reach("/system/ConfigManagement", { tab: "reminders", id: r.id }) : undefined,
      },
      "event",
      { key: "offsets", width: 130, show: (r) => r.offsets.map(dayText).join("、") },
      "channels",
      { key: "villageNames", width: 110 },
      { key: "sent", to: (r) => (r.sent ? log(r.id) : undefined) },
      { key: "delivered", to: (r) => (r.delivered ? log(r.id, "delivered") : undefined) },
      { key: "failed", to: (r) => (r.failed ? log(r.id, "failed") : undefined) },
      "bills",
      "paid",
      "paidRate",
      "state",
    ]}
    card={{
      title: "name",
      right: "state",
      lines: [
        ["event", "sent"],
        ["villageNames", "paidRate"],
      ],
    }}
    emptyText="账单到期、合同到期等自动发送的提醒，由配置中心的催缴与提醒规则决定"
  />
);
