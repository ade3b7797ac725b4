import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { previewReminder } from "./reminder.contract.ts";
import "../record/record.css";

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
        <span className={data.moved ? "s-orange late" : "dim"}>
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
