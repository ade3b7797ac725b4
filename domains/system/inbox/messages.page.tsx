import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { addressOf } from "../log/changes.panel.tsx";
import {
  deleteMessages,
  listMessages,
  messageNumbers,
  readAllMessages,
  readMessages,
} from "../message/message.contract.ts";
import { READ_WORDS, typeName } from "../message/message.rules.ts";
import { MessageSettingForm } from "../message/setting.form.tsx";
import { MessageDrawer } from "./message.panel.tsx";
import "../message/message.css";

type Message = Row<typeof listMessages>;
type Counts = { type: number; typeName: string; num: number }[];
const idsOf = (rows: readonly Message[]) => rows.map((m) => m.id).join(",");
const numbers = ask(messageNumbers);

function Kinds({ counts, total }: { counts: Counts; total: number }) {
  const [address, set] = useAddress();
  const on = Number(address.get("type")) || 0;
  const items = [{ type: 0, typeName: "全部", num: total }, ...counts];
  return (
    <nav className="messages__kinds stack gap-1 card" aria-label="消息类型">
      {items.map(({ type, typeName: name, num }) => (
        <button
          key={type}
          type="button"
          className={type === on ? "on" : ""}
          aria-current={type === on || undefined}
          onClick={() => set({ type: type || undefined, pageNo: undefined, id: undefined })}
        >
          {name}
          {num > 0 && <b aria-label={`${num} 条未读`}>{num}</b>}
        </button>
      ))}
    </nav>
  );
}

/** Everything unread of the type in view; of all types after a question. */
function useReadAll(counts: Counts) {
  const act = useAct();
  const [address] = useAddress();
  const type = Number(address.get("type")) || 0;
  const unread = counts.filter((c) => c.num > 0 && (!type || c.type === type));
  const total = unread.reduce((sum, { num }) => sum + num, 0);
  const run = async () => {
    const one = (kind: number, last: boolean) =>
      act(readAllMessages, { query: { type: kind } }, last ? { done: `已将 ${total} 条消息标为已读` } : {});
    const all = async () => {
      for (const [i, { type: kind }] of unread.entries()) await one(kind, i === unread.length - 1);
    };
    if (type) await all();
    else await confirm({ title: "全部已读", body: `确定将全部 ${total} 条未读消息标为已读？`, run: all });
  };
  const why = total ? undefined : `没有未读的${type ? `“${typeName(type)}”` : ""}消息`;
  return { label: "全部已读", icon: "check" as const, why, run };
}

const Title = ({ message: m }: { message: Message }) => (
  <span className={`message__title ${m.status === 0 ? "message__title--new" : ""}`}>
    <i aria-label={READ_WORDS[m.status === 0 ? "0" : "1"][0]} role="img" />
    <span className="cut" title={m.title}>
      {m.title}
    </span>
  </span>
);

const GoTo = ({ message }: { message: Message }) => {
  const to = addressOf(message.opens, message.bizId);
  return to ? <Link to={to}>去处理</Link> : <span className="dim">—</span>;
};

/** 消息中心: what the system tells the operator, and the way to each record. `?id=` opens one message. */
export default function MessagesPage() {
  const act = useAct();
  const [setting, setSetting] = useState(false);
  const { data } = useQuery(numbers);
  const counts = data?.numList ?? [];
  const readAll = useReadAll(counts);
  return (
    <div className="messages">
      <Kinds counts={counts} total={data?.totalNum ?? 0} />
      <ListPage
        call={listMessages}
        unit="条"
        filters={["status", "villageIds", "from", "keyword"]}
        columns={[
          { key: "title", width: 232, show: (m) => <Title message={m} /> },
          "type",
          "villageName",
          { key: "summary", width: 224 },
          "pushTime",
          { own: "go", title: "去处理", show: (m) => <GoTo message={m} /> },
          { key: "status", hidden: true },
        ]}
        card={{
          title: "title",
          right: "type",
          lines: [
            [(m) => <span className="message__summary">{m.summary}</span>],
            ["villageName", "pushTime"],
          ],
        }}
        toolbar={[readAll, { label: "接收设置", icon: "gear", run: () => setSetting(true) }]}
        batch={[
          {
            label: "标记已读",
            run: (rows) => act(readMessages, { query: { ids: idsOf(rows) } }, { done: "已标为已读" }),
          },
          {
            label: "删除",
            run: (rows) =>
              act(
                deleteMessages,
                { query: { ids: idsOf(rows) } },
                {
                  done: "已删除",
                  ask: { title: "删除消息", body: `确定删除选中的 ${rows.length} 条消息？`, ok: "删除" },
                },
              ),
          },
        ]}
        drawer={(id) => <MessageDrawer id={id} />}
        emptyText="这里是系统发给您的消息：审批、逾期账单、到期合同、导出结果和公告"
      />
      {setting && <MessageSettingForm onClose={() => setSetting(false)} />}
    </div>
  );
}
