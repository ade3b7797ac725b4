import { Detail } from "../../../platform/console/detail/detail.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import "../record/record.css";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import type { PushActs } from "./push-acts.panel.tsx";
import { getPush } from "./push.contract.ts";
import { KINDS, PUSH_STATES, STAGES } from "./push.rules.ts";
import { Recipients } from "./recipients.panel.tsx";

type Push = Reply<typeof getPush>;

/** "租客，在租，仅欠费". */
function audienceText({ audience: a }: Push): string {
  return [
    KINDS[a.kind][0],
    ...a.stages.map((s) => STAGES[s][0]),
    ...a.tags,
    a.arrears && "仅欠费",
    a.expiringWithin && `${a.expiringWithin} 天内到期`,
    a.buildingIds.length > 0 && `${a.buildingIds.length} 栋楼`,
    a.ids.length > 0 && `指定 ${a.ids.length} 人`,
    a.exclude.length > 0 && `排除 ${a.exclude.length} 人`,
  ]
    .filter(Boolean)
    .join("，");
}

/** One task: what was said to whom, and how it ended. */
export const PushDrawer = ({ id, acts }: { id: number; acts: PushActs }) => (
  <Detail
    call={getPush}
    sent={{ params: { id } }}
    title={(p) => `${p.title} ${p.number}`}
    tags={(p) => <WordTag words={PUSH_STATES} code={p.state} />}
    width={880}
    facts={[
      "category",
      "channels",
      { title: "发给", show: audienceText },
      "villageName",
      "recipients",
      "parts",
      { title: "送达 / 失败 / 跳过", show: (p) => `${p.delivered} / ${p.failed} / ${p.skipped}` },
      "sendAt",
      { key: "startedAt", show: (p) => (p.startedAt ? timeInZone(p.startedAt).slice(0, 16) : NONE) },
      "endedAt",
      "templateName",
      "creatorName",
      { key: "body", wide: true },
    ]}
    actions={(p) => acts.of(p)}
    tabs={[
      { key: "recipients", title: "对象", count: (p) => p.recipients, view: (p) => <Recipients push={p} /> },
      { key: "log", title: "日志", view: (p) => <RecordLog kind="pushTask" id={p.id} /> },
    ]}
  >
    {(p) => {
      const kept = p.keptHere.filter((c) => p.channels.includes(c));
      return kept.length > 0 ? (
        <p className="notice s-gold">
          {kept.map((c) => CHANNELS[c][0]).join("、")}未接入服务商，仅记录在发件箱，没有实际发出
        </p>
      ) : null;
    }}
  </Detail>
);
