import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { filterWords } from "../lead/funnel.panel.tsx";
import { ruleLink } from "../reminder/rule.panel.tsx";
import { addPush, listPushes, pushPeople } from "../push/push.contract.ts";
import { usePushActs } from "../push/push-acts.panel.tsx";
import { PushForm } from "../push/push.form.tsx";
import { PushDrawer } from "../push/push.panel.tsx";
import { KINDS, NAMED, NOTICE_AGAIN, PAGE, type PartyKind } from "../push/push.rules.ts";
import { exportSendLog, resendMessage, sendLog } from "./send-log.contract.ts";

type Push = Row<typeof listPushes>;

/** 送达, 失败, 跳过 of a task as one bar; the figures stand beside it. */
const Ends = ({ push: p }: { push: Push }) => {
  const all = p.delivered + p.failed + p.skipped;
  if (!p.recipients && !all) return <span className="dim">—</span>;
  const share = (n: number) => `${(n / Math.max(1, all)) * 100}%`;
  return (
    <span className="row" title={`送达 ${p.delivered}，失败 ${p.failed}，跳过 ${p.skipped}`}>
      <span className="push__parts" aria-hidden>
        <i className="s-green" style={{ width: share(p.delivered), background: "var(--tf)" }} />
        <i className="s-red" style={{ width: share(p.failed), background: "var(--tf)" }} />
      </span>
      <small>
        {p.delivered} / {p.failed} / {p.skipped}
      </small>
    </span>
  );
};

/** Who may write to customers, as the filter offers them. */
function useWriters() {
  const { data = [] } = useQuery(ask(listHolders, { query: { permit: "18.add" } }));
  return filterWords(data.map((o) => [o.id, o.realName]));
}

/** The form over the list, when another page has chosen to whom: ?write=renter&ids=… */
function WriteTo() {
  const [address, set] = useAddress();
  const wanted = address.get("write");
  const kind = wanted && wanted in KINDS && may(addPush.needs) ? (wanted as PartyKind) : undefined;
  const ids = address.get("ids") ?? "";
  const { data } = useQuery({
    ...ask(pushPeople, { query: { kind: kind ?? "renter", ids, pageSize: NAMED } }),
    enabled: kind !== undefined && ids !== "",
  });
  const nobody = kind !== undefined && data?.length === 0;
  useEffect(() => {
    if (!nobody) return;
    toast("没有可以发送的客户", "warning");
    set({ write: undefined, ids: undefined });
  }, [nobody, set]);
  // without anybody the form would be one to everybody
  if (!kind || !data?.length) return null;
  const villageIds = [...new Set(data.map((p) => p.villageId))];
  return (
    <PushForm
      to={{ kind, ids: data.map((p) => p.id), villageIds }}
      onMade={(id) => set({ write: undefined, ids: undefined, id })}
      onClose={() => set({ write: undefined, ids: undefined })}
    />
  );
}

/** 推送任务: what was and will be sent. */
export function PushList() {
  const acts = usePushActs();
  const writers = useWriters();
  return (
    <>
      <ListPage
        call={listPushes}
        unit="个"
        filters={[
          "villageIds",
          "category",
          "state",
          "keyword",
          "channel",
          { key: "creatorId", words: writers },
          "from",
        ]}
        columns={[
          "number",
          { key: "title", width: 130 },
          "state",
          "category",
          "channels",
          "villageName",
          "recipients",
          { key: "delivered", title: "送达 / 失败 / 跳过", width: 148, show: (p) => <Ends push={p} /> },
          { key: "done", hidden: true },
          { key: "failed", hidden: true },
          { key: "skipped", hidden: true },
          "parts",
          "sendAt",
          "creatorName",
          { key: "createdAt", hidden: true },
        ]}
        card={{
          title: "title",
          right: "state",
          lines: [["villageName", "recipients"], ["sendAt"]],
          sums: ["recipients", "parts"],
        }}
        adds={{ does: addPush, form: (close) => <PushForm onClose={close} /> }}
        rowActions={acts.of}
        drawer={(id) => <PushDrawer id={id} acts={acts} />}
        emptyText="停水停电、活动、缴费提醒等，在这里群发给租客"
      />
      <WriteTo />
      {acts.layer}
    </>
  );
}

/** 发送记录: every message to a customer; those that failed go out again by hand. */
export function SendLog() {
  const act = useAct();
  const again = (id: number) =>
    act(
      resendMessage,
      { params: { id } },
      {
        done: "已安排重新发送",
        ask: {
          title: "重新发送",
          body: "确定把这条消息再发送一次吗？安静时段内的在时段结束后发送。",
          ok: "发送",
        },
      },
    );
  return (
    <ListPage
      call={sendLog}
      unit="条"
      filters={["villageIds", "channel", "state", "keyword", "by", "ruleId", "from"]}
      columns={[
        "at",
        "partyName",
        "address",
        "channel",
        {
          key: "source",
          to: (r) =>
            r.ruleId
              ? ruleLink(r.ruleId)
              : r.taskId
                ? pathTo(PAGE, { tab: "tasks", id: r.taskId })
                : undefined,
        },
        { key: "body", width: 300 },
        "state",
        { key: "receipt", width: 200 },
        "tries",
      ]}
      card={{ title: "partyName", right: "state", lines: [["body"], ["at", "channel"]] }}
      rowActions={(r) => [
        {
          label: "重发",
          need: "18.edit",
          why:
            r.state !== "failed"
              ? "只有发送失败的消息可以重发"
              : r.ruleId || r.taskId
                ? undefined
                : NOTICE_AGAIN,
          run: () => again(r.id),
        },
      ]}
      exportCall={exportSendLog}
      emptyText="发给客户的每一条短信、邮件和站内消息都记在这里"
    />
  );
}
