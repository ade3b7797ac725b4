import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { ask, download, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { getAnnouncement } from "./announcement.contract.ts";
import { announcementFile, confirmAnnouncement, readAnnouncement } from "./reader.contract.ts";
import { AnnouncementText } from "./text.panel.tsx";
import "../message/message.css";

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
