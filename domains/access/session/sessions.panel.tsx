import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { RowActions, type Actions } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { endSession, listSessions } from "./session.contract.ts";

type Session = Reply<typeof listSessions>["list"][number];

function useEnding(): (s: Session) => Actions {
  const act = useAct();
  return (s) => [
    {
      label: "强制下线",
      need: "46.edit",
      danger: true,
      why: s.mine ? "这是当前会话，请用右上角的退出登录" : undefined,
      run: () =>
        act(
          endSession,
          { params: { id: s.id } },
          {
            done: "已下线",
            ask: { title: "强制下线", body: `${s.realName} 在 ${s.ip} 的会话将立即下线。确定吗？` },
          },
        ),
    },
  ];
}

const who = (s: Session) => (
  <>
    {s.realName}{" "}
    {s.mine && (
      <StatusTag tone="blue" dot={false}>
        当前会话
      </StatusTag>
    )}
    {s.viewer && (
      <StatusTag tone="purple" dot={false}>
        {s.viewer} 查看
      </StatusTag>
    )}
  </>
);

/** 在线会话: who is signed in, from where, and when they last did something. */
export function Sessions() {
  const ending = useEnding();
  return (
    <ListPage
      call={listSessions}
      unit="个"
      filters={["keyword"]}
      sort={{ sort: "lastSeenAt", order: "desc" }}
      columns={[
        { key: "realName", width: 180, show: who },
        "account",
        "createdAt",
        "ip",
        "device",
        "lastSeenAt",
        { key: "expiresAt", hidden: true },
      ]}
      card={{ title: who, right: "device", lines: [["ip", "lastSeenAt"], ["account"]] }}
      rowActions={ending}
      emptyText="当前没有在线会话"
    />
  );
}

/** The same of one person, inside their record. */
export function SessionTable({ operatorId }: { operatorId: number }) {
  const ending = useEnding();
  const { data, error, refetch } = useQuery(ask(listSessions, { query: { operatorId, pageSize: 50 } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={2} />;
  return (
    <RowTable
      schema={listSessions.reply.shape.list}
      rows={data.list}
      flat
      columns={[
        "createdAt",
        "ip",
        "device",
        "lastSeenAt",
        ...(may("46.edit")
          ? [{ own: "act", title: "操作", show: (s: Session) => <RowActions actions={ending(s)} /> }]
          : []),
      ]}
      emptyText="当前没有登录"
    />
  );
}
