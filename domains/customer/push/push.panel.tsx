import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Detail } from "../../../platform/console/detail.tsx";
import { NONE } from "../../../platform/console/kinds.tsx";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { WordTag } from "../../../platform/console/tag.tsx";
import { elementOf, shapeOf } from "../../../platform/console/schema.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { RecordLog } from "../party/log.panel.tsx";
import type { PushActs } from "./push-acts.panel.tsx";
import { getPush, listRecipients, optOut } from "./push.contract.ts";
import { KINDS, PUSH_STATES, STAGES } from "./push.rules.ts";

type Push = Reply<typeof getPush>;
const PAGE_SIZE = 50;

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
          {kept.map((c) => CHANNELS[c][0]).join("、")}没有接入服务商，只记录在发件箱，没有真正发出
        </p>
      ) : null;
    }}
  </Detail>
);

function Recipients({ push }: { push: Push }) {
  const act = useAct();
  const [pages, setPages] = useState(1);
  const { data, error, refetch } = useQuery(
    ask(listRecipients, {
      params: { id: push.id },
      query: { pageSize: Math.min(200, pages * PAGE_SIZE) },
    }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <RowTable
        flat
        schema={elementOf(shapeOf(listRecipients.reply!).list)!}
        rows={data.list}
        columns={[
          { key: "name", to: (r) => reach("/configuration/RenterManage", { id: r.partyId }) },
          "address",
          "channel",
          "state",
          "reason",
          "tries",
          {
            key: "doneAt",
            show: (r) =>
              may("18.edit") && r.address && push.category === "marketing" ? (
                <Button
                  look="text"
                  run={() =>
                    act(
                      optOut,
                      { params: { id: r.id } },
                      {
                        done: "已登记退订",
                        ask: { title: "登记退订", body: `${r.name}以后不再收到营销信息，确定吗？` },
                      },
                    )
                  }
                >
                  登记退订
                </Button>
              ) : r.doneAt ? (
                timeInZone(r.doneAt).slice(0, 16)
              ) : (
                NONE
              ),
          },
        ]}
        emptyText={push.state === "draft" ? "提交后按当时的条件确定对象" : "没有对象"}
      />
      {(data.total ?? 0) > data.list.length && pages * PAGE_SIZE < 200 && (
        <Button look="text" run={() => setPages(pages + 1)}>
          再显示 {PAGE_SIZE} 位，共 {data.total} 位
        </Button>
      )}
    </>
  );
}
