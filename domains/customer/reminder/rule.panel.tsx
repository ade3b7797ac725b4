import { Detail } from "../../../platform/console/detail/detail.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import type { RuleActs } from "./acts.panel.tsx";
import { RulePreview } from "./preview.panel.tsx";
import { getReminder } from "./reminder.contract.ts";
import { RULE_STATES, STOPS, dayWords, ofBills } from "./reminder.rules.ts";

type Rule = Reply<typeof getReminder>;
const WAYS = elementOf(shapeOf(getReminder.reply!)["ways"])!;

const stops = (rule: Rule) =>
  ofBills(rule.event) ? ["付清", ...rule.stopOn.map((stop) => STOPS[stop][0])].join("、") : "";

/** One rule: what it says to whom, and who would hear of it today. */
export const RuleDrawer = ({ id, acts }: { id: number; acts: RuleActs }) => (
  <Detail
    call={getReminder}
    sent={{ params: { id } }}
    title={(r) => r.name}
    tags={(r) => <WordTag words={RULE_STATES} code={r.state} />}
    width={880}
    facts={[
      "event",
      {
        title: "提醒日",
        wide: true,
        show: (r) => r.offsets.map((day) => dayWords(r.event, day)).join("、"),
      },
      { title: "发送时间", show: (r) => `每天 ${r.sendAt}，避开门店免打扰时段` },
      "channels",
      "receivers",
      "roleNames",
      "mergePerPayer",
      { title: "不提醒", show: stops },
      { title: "每月上限", show: (r) => `每人每个渠道 ${r.monthlyCap} 条` },
      "ranOn",
      "updaterName",
      { key: "villageNames", wide: true },
    ]}
    actions={acts.of}
    tabs={[
      { key: "today", title: "今日预览", view: (r) => <RulePreview id={r.id} on={r.state === "on"} /> },
      {
        key: "ways",
        title: "内容",
        count: (r) => r.ways.length,
        view: (r) => (
          <RowTable
            flat
            schema={WAYS}
            rows={r.ways}
            columns={[
              { key: "channel", width: 80 },
              { key: "templateName", width: 160 },
              { key: "body", width: 320, show: (w) => <p className="reminder__said">{w.body}</p> },
            ]}
          />
        ),
      },
      { key: "log", title: "日志", view: (r) => <RecordLog kind="reminderRule" id={r.id} /> },
    ]}
  />
);

/** A rule where it is kept, for those who keep rules; for others what it has done. */
export const ruleLink = (id: number): string =>
  (may("251.query") && reach("/system/ConfigManagement", { tab: "reminders", id })) ||
  pathTo("/configuration/MessageManagement", { tab: "auto" });
