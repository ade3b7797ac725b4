import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { download, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { downloadFile } from "../download/download.contract.ts";
import { GONE, addressOf } from "../log/changes.panel.tsx";
import { getMessage, listMessages, readMessages } from "../message/message.contract.ts";
import { MESSAGE_TYPES } from "../message/message.rules.ts";
import "../message/message.css";

type Message = Reply<typeof getMessage>;

/** Whoever has a message before them has read it; bell and list follow. */
function MarkRead({ id, unread }: { id: number; unread: boolean }) {
  const client = useQueryClient();
  useEffect(() => {
    if (!unread) return;
    send(readMessages, { query: { ids: String(id) } }).then(
      () =>
        client.invalidateQueries({
          predicate: ({ queryKey: [path] }) => String(path).startsWith(listMessages.path),
        }),
      // the message stays unread, and the next look at it tries again
      () => undefined,
    );
  }, [client, id, unread]);
  return null;
}

const Text = ({ message }: { message: Message }) => (
  <>
    <MarkRead id={message.id} unread={message.status === 0} />
    {message.content && <p className="message__text">{message.content}</p>}
    {message.facts.length > 0 && (
      <dl className="facts" style={{ "--cols": 1 } as React.CSSProperties}>
        {message.facts.map(([label, value]) => (
          <div key={label} className="message__fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </>
);

/** One message: what it says, and the way to its record. Opening marks it read. */
export function MessageDrawer({ id }: { id: number }) {
  const navigate = useNavigate();
  const actions = (m: Message): Actions => {
    if (!m.bizType) return [];
    const why = m.open ? undefined : GONE;
    // an export is fetched here: its own page needs a function that not everybody has
    if (m.bizType === "download")
      return [
        {
          label: "下载",
          icon: "download",
          main: true,
          why,
          run: () => download(downloadFile, { params: { id: m.bizId! } }),
        },
      ];
    const to = m.open ? addressOf(m.opens, m.bizId) : undefined;
    return [{ label: "去处理", main: true, why: to ? undefined : GONE, run: () => to && navigate(to) }];
  };
  return (
    <Detail
      call={getMessage}
      sent={{ query: { id: String(id) } }}
      width={560}
      title={(m) => m.title}
      tags={(m) => <WordTag words={MESSAGE_TYPES} code={String(m.type)} dot={false} />}
      facts={["pushTime", "villageName"]}
      cols={2}
      actions={actions}
    >
      {(m) => <Text message={m} />}
    </Detail>
  );
}
