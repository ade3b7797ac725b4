import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { type Row, elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { type Actions, doing } from "../../../platform/console/parts/actions.tsx";
import { Current, Loaded } from "../../../platform/console/parts/loaded.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { KINDS } from "../terms/kind.rules.ts";
import * as calls from "../activity/activity.contract.ts";
import { ActivityForm, AdjustForm } from "./activity.form.tsx";
import { ACTIVITY_STATES, activityMoves } from "../activity/activity.rules.ts";

type Activity = Row<typeof calls.listActivities>;
type Open = { id: number; copies: boolean } | { adjusts: Activity } | undefined;

const FOREIGN = "该活动含您不能管理的门店";

/** What can be done with an offer, the same in its row and in its drawer; and the form that is open for it. */
export function useActivityActs(): [(a: Activity) => Actions, ReactNode] {
  const [open, setOpen] = useState<Open>();
  const actsOf = (a: Activity): Actions => {
    const why = (move: "edit" | "enable" | "disable" | "adjust" | "remove") =>
      activityMoves.refusal(move, a) ?? (a.editable ? undefined : FOREIGN);
    const sent = { params: { id: a.id }, body: { version: a.version } };
    return [
      {
        label: "启用",
        does: calls.enableActivity,
        why: why("enable"),
        run: async (act) => {
          const done = await act(calls.enableActivity, sent, {
            ask: { title: "启用优惠活动", body: `启用后不能再修改“${a.name}”的优惠内容，确定启用吗？` },
          });
          if (done) toast(done.examineNo ? `已提交审批 ${done.examineNo}` : "已启用");
        },
      },
      {
        label: "停用",
        why: why("disable"),
        ...doing(calls.disableActivity, sent, "已停用", {
          title: "停用优惠活动",
          body: `停用后新合同不能再用“${a.name}”，已签和待签的合同不受影响。`,
        }),
      },
      {
        label: "调整",
        does: calls.adjustActivity,
        why: why("adjust"),
        run: () => setOpen({ adjusts: a }),
      },
      {
        label: "编辑",
        does: calls.editActivity,
        why: why("edit"),
        run: () => setOpen({ id: a.id, copies: false }),
      },
      { label: "复制", does: calls.addActivity, run: () => setOpen({ id: a.id, copies: true }) },
      deleteAction(calls.deleteActivity, a, {
        title: "删除优惠活动",
        body: `确定删除“${a.name}”吗？`,
        why: why("remove"),
      }),
    ];
  };
  const close = () => setOpen(undefined);
  const layer =
    open === undefined ? null : "adjusts" in open ? (
      <Current call={calls.getActivity} read={open.adjusts}>
        {(activity) => <AdjustForm activity={activity} onClose={close} />}
      </Current>
    ) : (
      <Editing {...open} onClose={close} />
    );
  return [actsOf, layer];
}

/** The form of an offer as it is now; its list shows less than there is. */
function Editing({ id, copies, onClose }: { id: number; copies: boolean; onClose: () => void }) {
  const { data } = useQuery(ask(calls.getActivity, { params: { id } }));
  return data ? <ActivityForm activity={data} copies={copies} onClose={onClose} /> : null;
}

const limit = (n: number, none = "不限") => (n ? n.toLocaleString() : none);

export const quotaText = (a: Pick<Activity, "usedCount" | "quota">) => `${a.usedCount} / ${limit(a.quota)}`;
export const budgetText = (a: Pick<Activity, "usedFen" | "budget">) =>
  a.budget ? `${yuan(a.usedFen)} / ${yuan(a.budget)}` : yuan(a.usedFen);

/** An offer on its own, with the contracts that used it. */
export function ActivityDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useActivityActs();
  return (
    <>
      <Detail
        call={calls.getActivity}
        sent={{ params: { id } }}
        width={900}
        title={(a) => a.name}
        tags={(a) => <WordTag words={ACTIVITY_STATES} code={a.status} />}
        strip={(a) => [
          { title: "使用次数", show: quotaText(a) },
          { title: "已优惠", show: budgetText(a), key: true },
          { title: "优惠", show: a.valueText },
        ]}
        facts={[
          "kind",
          { title: "有效期", show: (a) => `${a.signFrom} ~ ${a.signTo}` },
          { key: "villageNames", wide: true },
          { key: "scopeText", wide: true },
          "productNames",
          { title: "作用于", show: (a) => (a.appliesTo === "fees" ? a.feeNames : "租金") },
          { title: "叠加", show: (a) => stackText(a) },
          { title: "每人上限", show: (a) => limit(a.perPartyLimit ?? 0) },
          "priority",
          "clawbackOnEarlyLeave",
          "createdName",
          "createdAt",
          "updatedAt",
          { key: "description", wide: true },
        ]}
        actions={(a) => actsOf(a)}
        tabs={[
          {
            key: "uses",
            title: "使用的合同",
            count: (a) => a.usedCount,
            view: (a) => <Uses id={a.id} />,
          },
        ]}
        log="activity"
        slot="activity.tabs"
      >
        {(a) =>
          a.waiting && (
            <p className="row gap-4">
              <StatusTag tone="blue">审批中</StatusTag>
              <span className="sub">
                {a.waiting.examineNo}，{a.waiting.node}
                {a.waiting.waitingFor && `，等待 ${a.waiting.waitingFor}`}
              </span>
            </p>
          )
        }
      </Detail>
      {layer}
    </>
  );
}

export const stackText = (a: Pick<Activity, "stackable" | "stackGroup">) =>
  [a.stackGroup && `互斥组 ${a.stackGroup}`, a.stackable ? "可叠加" : "不可叠加"].filter(Boolean).join("，");

type Use = Row<typeof calls.activityUses>;
const USE = elementOf(shapeOf(calls.activityUses.reply)["list"])!;

/** The contracts that used it, the newest first; a hundred of them stand here. */
const Uses = ({ id }: { id: number }) => (
  <Loaded call={calls.activityUses} sent={{ params: { id }, query: { pageSize: 100 } }} lines={3}>
    {({ list, total, sums }) => (
      <RowTable<Use>
        schema={USE}
        rows={list}
        columns={[
          { key: "contractNo", to: (u) => reach(KINDS[u.kind].path, { id: u.contractId }) },
          ...(["partyName", "villageName", "roomNames", "startDate", "endDate", "usedOn"] as const),
          "state",
          "totalFen",
        ]}
        sums={{ totalFen: sums?.totalFen ?? 0 }}
        sumNote={`有效合计${total && total > list.length ? `（共 ${total} 份，列出最近 ${list.length} 份）` : ""}`}
        emptyText="还没有合同使用这个活动"
      />
    )}
  </Loaded>
);

type PictureProps = { query: Record<string, unknown>; filter: (patch: Patch) => void };

/** Uses day by day, and what each store gave. */
export function ActivityPicture({ query, filter }: PictureProps) {
  const known = shapeOf(calls.activityChart.query);
  const sent = Object.fromEntries(Object.entries(query).filter(([key]) => key in known));
  return (
    <Loaded call={calls.activityChart} sent={{ query: sent }} lines={6}>
      {({ daily, villages }) => (
        <div className="pic">
          <h3>近 30 天每日使用</h3>
          <Chart
            title="近 30 天每日使用"
            kind="bar"
            height={200}
            format={(n) => `${n} 份`}
            labels={daily.map((d) => d.day.slice(5))}
            series={[{ name: "使用", values: daily.map((d) => d.count), tone: "blue" }]}
          />
          <h3>各门店已优惠</h3>
          {villages.length ? (
            <Chart
              title="各门店已优惠"
              kind="bar"
              height={200}
              format={(fen) => `${yuan(fen)} 元`}
              labels={villages.map((v) => v.name)}
              series={[{ name: "已优惠", values: villages.map((v) => v.fen), tone: "green" }]}
              onPick={(_, i) => filter({ villageIds: String(villages[i]!.villageId) })}
            />
          ) : (
            <p className="dim">还没有合同使用活动</p>
          )}
        </div>
      )}
    </Loaded>
  );
}
