import { ListPage } from "../../../platform/console/list/list.tsx";
import { RuleDrawer, useRuleActs } from "./rule.panel.tsx";
import { listReminders, addReminder } from "./reminder.contract.ts";
import { dayText } from "./reminder.rules.ts";
import { AddRule } from "./rule.form.tsx";

/** 催缴与提醒规则: what customers hear of without anybody sending it. */
export default function RulesPanel() {
  const acts = useRuleActs();
  return (
    <>
      <ListPage
        call={listReminders}
        unit="条"
        filters={["villageIds", "event", "channel", "state", "keyword"]}
        columns={[
          { key: "name", width: 150 },
          "event",
          { key: "offsets", width: 150, show: (r) => r.offsets.map(dayText).join("、") },
          { key: "sendAt", width: 84 },
          "channels",
          "receivers",
          { key: "villageNames", width: 110 },
          { key: "monthlyCap", hidden: true },
          "ranOn",
          "state",
          { key: "updaterName", hidden: true },
          { key: "updatedAt", hidden: true },
        ]}
        card={{ title: "name", right: "state", lines: [["event", "sendAt"], ["villageNames"]] }}
        adds={{ label: "新增规则", does: addReminder, form: (close) => <AddRule onClose={close} /> }}
        rowActions={acts.of}
        drawer={(id) => <RuleDrawer id={id} acts={acts} />}
        emptyText="账单到期、逾期、合同到期前后，按规则自动提醒客户"
      />
      {acts.layer}
    </>
  );
}
