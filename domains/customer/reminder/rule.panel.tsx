import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import {
  type ReminderRow,
  disableReminder,
  editReminder,
  enableReminder,
  getReminder,
  previewReminder,
  removeReminder,
} from "./reminder.contract.ts";
import { RULE_STATES, STOPS, dayWords, ofBills, timeHasCome } from "./reminder.rules.ts";
import { EditRule } from "./rule.form.tsx";
import "../record/record.css";

type Acted = Pick<ReminderRow, "id" | "name" | "state" | "mine" | "version">;
export type RuleActs = { of: (rule: Acted) => Actions; layer: ReactNode };

const WHOLE = "规则包含您权限以外的门店，请由可管理这些门店的人员修改";

/** What switching a rule on will do today. */
async function whatComes({ id }: Acted): Promise<string> {
  const { people, messages, at } = await send(previewReminder, { params: { id } });
  const daily = `启用后每天 ${at} 自动发送。`;
  if (!people) return `${daily}今天没有需要提醒的客户。`;
  const now = timeHasCome(at, timeInZone(new Date()).slice(11, 16));
  return `${daily}今天有 ${people} 位客户、${messages} 条消息，${now ? "启用后几分钟内发出" : `将于 ${at} 发出`}。`;
}

/** What can be done with a rule, the same in its row and in its drawer. */
export function useRuleActs(): RuleActs {
  const act = useAct();
  const [, set] = useAddress();
  const [editing, setEditing] = useState<number>();
  const of = (rule: Acted): Actions => {
    const sent = { params: { id: rule.id }, body: { version: rule.version } };
    const why = rule.mine ? undefined : WHOLE;
    return [
      rule.state === "off" && {
        label: "启用",
        does: enableReminder,
        main: true,
        why,
        run: async () => {
          const body = await whatComes(rule);
          await act(enableReminder, sent, {
            done: "已启用",
            ask: { title: `启用 ${rule.name}`, body, ok: "启用" },
          });
        },
      },
      { label: "编辑", does: editReminder, why, run: () => setEditing(rule.id) },
      rule.state === "on" && {
        label: "停用",
        does: disableReminder,
        why,
        run: () => act(disableReminder, sent, { done: "已停用" }),
      },
      deleteAction(removeReminder, rule, {
        title: "删除规则",
        body: `确定删除“${rule.name}”吗？`,
        ok: "删除",
        why: why ?? (rule.state === "on" ? "请先停用" : undefined),
        gone: () => set({ id: undefined }),
      }),
    ];
  };
  return {
    of,
    layer: editing !== undefined && <EditRule id={editing} onClose={() => setEditing(undefined)} />,
  };
}

const SAMPLE = elementOf(shapeOf(previewReminder.reply!)["sample"])!;
const counted = (count: number, unit: string) => `${count.toLocaleString("en-US")} ${unit}`;

/** Who would get it today, as things stand now. */
export function RulePreview({ id, on }: { id: number; on: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: [previewReminder.path, id],
    queryFn: ({ signal }) => send(previewReminder, { params: { id } }, { signal }),
  });
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const log = may("18.query")
    ? reach("/configuration/MessageManagement", { tab: "log", ruleId: id })
    : undefined;
  return (
    <>
      <p className="reminder__count" role="status">
        <b>{counted(data.people, "人")}</b>
        <span>{counted(data.messages, "条消息")}</span>
        {data.parts > 0 && <span>短信 {counted(data.parts, "条")}</span>}
        {data.operators > 0 && <span>员工 {counted(data.operators, "人")}</span>}
        {data.skipped.map((s) => (
          <span key={s.reason} className="dim">
            跳过 {s.reason} {s.count}
          </span>
        ))}
        {data.sentToday > 0 &&
          (log ? (
            <Link to={log}>今天已发送 {counted(data.sentToday, "条")}</Link>
          ) : (
            <span>今天已发送 {counted(data.sentToday, "条")}</span>
          ))}
        <span className={data.moved ? "warn" : "dim"}>
          {data.ran
            ? "今天已执行"
            : `${data.moved ? "避开门店免打扰时段，" : ""}${on ? "将于" : "启用后"} ${data.at} 发送`}
        </span>
      </p>
      {data.keptHere.length > 0 && (
        <p className="dim">
          {data.keptHere.map((channel) => CHANNELS[channel][0]).join("、")}
          未接入服务商，仅记录在发件箱，不会实际发出
        </p>
      )}
      <RowTable
        flat
        schema={SAMPLE}
        rows={data.sample}
        columns={[
          { key: "name", width: 100 },
          { key: "text", width: 280, show: (r) => <p className="reminder__said">{r.text}</p> },
          { key: "address", width: 112 },
          { key: "channel", width: 64 },
          { key: "day", width: 84 },
          { key: "records", width: 160 },
        ]}
        emptyText="今天没有需要提醒的客户"
      />
    </>
  );
}

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
