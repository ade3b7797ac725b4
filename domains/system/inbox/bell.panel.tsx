import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Popover } from "antd";
import { useState } from "react";
import { LIVE, useFocus } from "../../../platform/console/calls/live.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { listMessages, messageNumbers, readAllMessages, topMessages } from "../message/message.contract.ts";
import { agoText, badgeOf } from "../message/message.rules.ts";
import "../message/message.css";

const CENTRE = "/msgManage/manageHome";
const numbers = ask(messageNumbers);
const top = ask(topMessages);

/** The bell: how much is unread, the newest five of it, and the way to the rest. */
export default function BellPanel() {
  const client = useQueryClient();
  const go = useGo();
  const [open, setOpen] = useState(false);
  const { data: count } = useQuery({ ...numbers, ...LIVE });
  const { data: newest = [] } = useQuery({ ...top, ...LIVE });
  const [look] = useState(() => () => {
    for (const { queryKey } of [numbers, top])
      void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  });
  useFocus(look);
  const total = count?.totalNum ?? 0;
  const shown = total > 0 && !count?.quiet;
  const to = (query?: { id: number }) => {
    setOpen(false);
    go(CENTRE, query);
  };
  const readAll = async () => {
    const unread = count?.numList.filter((n) => n.num > 0) ?? [];
    await Promise.all(unread.map(({ type }) => send(readAllMessages, { query: { type } })));
    await client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => String(path).startsWith(listMessages.path),
    });
  };
  const now = new Date().toISOString();
  const content = (
    <div className="bell">
      <div className="bell__head row gap-0 between">
        <b>消息</b>
        {total > 0 && (
          <Button look="text" size="sm" run={readAll}>
            全部已读
          </Button>
        )}
      </div>
      {newest.length ? (
        <ul>
          {newest.map((m) => (
            <li key={m.id}>
              <button type="button" onClick={() => to({ id: m.id })}>
                <span className="cut" title={m.title}>
                  {m.title}
                </span>
                <time dateTime={m.pushTime}>{agoText(m.pushTime, now)}</time>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="dim">没有未读消息</p>
      )}
      <Button look="text" className="bell__more" run={() => to()}>
        更多消息
      </Button>
    </div>
  );
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) look();
      }}
      content={content}
    >
      <button type="button" className="ib bell__button" aria-label={total ? `消息，${total} 条未读` : "消息"}>
        <Icon name="bell" />
        {shown && <i className="bell__badge">{badgeOf(total)}</i>}
      </button>
    </Popover>
  );
}
