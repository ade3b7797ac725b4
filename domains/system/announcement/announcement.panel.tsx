import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, download, send } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import {
  announcementFile,
  confirmAnnouncement,
  getAnnouncement,
  readAnnouncement,
} from "./announcement.contract.ts";
import { type Inline, blocksOf } from "./announcement.rules.ts";
import "../message/message.css";

const Words = ({ inlines }: { inlines: readonly Inline[] }) =>
  inlines.map(({ text, bold, href }, i) =>
    href ? (
      <a key={i} href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    ) : bold ? (
      <b key={i}>{text}</b>
    ) : (
      <span key={i}>{text}</span>
    ),
  );

/** The text of an announcement. Nothing of it is taken as markup by the browser. */
export const AnnouncementText = ({ text }: { text: string }) => (
  <div className="notice__text">
    {blocksOf(text).map((block, i) =>
      block.kind === "list" ? (
        <ul key={i}>
          {block.items.map((item, k) => (
            <li key={k}>
              <Words inlines={item} />
            </li>
          ))}
        </ul>
      ) : (
        <p key={i}>
          <Words inlines={block.inlines} />
        </p>
      ),
    )}
  </div>
);

type Announcement = Reply<typeof getAnnouncement>;

const Files = ({ of }: { of: Announcement }) => (
  <ul className="notice__files">
    {of.files.map((file) => (
      <li key={file.id}>
        <button
          type="button"
          className="linkish"
          onClick={() => void download(announcementFile, { params: { id: of.id, fileId: file.id } })}
        >
          <Icon name="download" size={14} /> {file.name}
        </button>
      </li>
    ))}
  </ul>
);

/** One announcement to read. Opening marks it read; where it demands so, 我已知悉 confirms it. */
export function AnnouncementDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const act = useAct();
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery(ask(getAnnouncement, { params: { id } }));
  const unread = data?.state === "published" && !data.read;
  useEffect(() => {
    if (!unread) return;
    send(readAnnouncement, { params: { id } }).then(
      () => refresh(),
      // whoever runs the company also opens what is not addressed to them
      () => undefined,
    );
  }, [id, unread, refresh]);
  const asks = data?.mustConfirm && data.state === "published" && !data.confirmed;
  const confirmIt = async () => {
    await act(confirmAnnouncement, { params: { id } }, { done: "已确认" });
    onClose();
  };
  const footer = asks ? (
    <>
      <Button run={onClose}>稍后再看</Button>
      <Button look="main" run={confirmIt}>
        我已知悉
      </Button>
    </>
  ) : (
    <Button run={onClose}>关闭</Button>
  );
  return (
    <Dialog title={data?.title ?? "公告"} width={640} footer={footer} onClose={onClose}>
      {data ? (
        <>
          <p className="dim notice__by">
            {timeInZone(data.publishAt).slice(0, 16)}　{data.publisherName}　{data.scope}
          </p>
          <AnnouncementText text={data.content} />
          {data.files.length > 0 && <Files of={data} />}
        </>
      ) : error ? (
        <Broken error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Dialog>
  );
}
