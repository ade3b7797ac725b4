import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { useEffect, useState } from "react";
import { fetchFile } from "../../../platform/console/calls/request.ts";
import { History } from "../../../platform/console/detail/history.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { Assets } from "../asset/assets.panel.tsx";
import { RoomPrices } from "../room-acts/prices.panel.tsx";
import type { RoomDetail } from "./detail.contract.ts";
import { RoomOverview, TimelineTab } from "./room-overview.panel.tsx";

/** A stored picture. It is fetched with the person's token, so it cannot be a plain address. */
export function Picture({
  fileId,
  label,
  className,
}: {
  fileId: number | undefined;
  label: string;
  className?: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (fileId === undefined) return;
    const gone = new AbortController();
    let made: string | undefined;
    fetchFile(
      { method: "GET", path: "/system/api/v3/file/:id" },
      { params: { id: fileId } },
      { signal: gone.signal },
    ).then(
      ({ blob }) => setUrl((made = URL.createObjectURL(blob))),
      () => undefined,
    );
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [fileId]);
  return (
    <span className={`rd__pic ${className ?? ""}`}>
      {url ? (
        <img src={url} alt={label} />
      ) : (
        <Icon name="image" size={20} label={fileId ? label : "暂无图片"} />
      )}
    </span>
  );
}

/** The drawer's own tabs, and between them those that domains to the right put into "room.tabs". */
export function RoomTabs({ data }: { data: RoomDetail }) {
  const [address, set] = useAddress();
  const panels = useSlot("room.tabs");
  const items = [
    { key: "overview", title: "概览" },
    { key: "timeline", title: "时间轴" },
    ...panels.map((p) => ({ key: p.key, title: p.title })),
    ...(may("6.get") ? [{ key: "prices", title: "价格" }] : []),
    ...(may("6.query") ? [{ key: "assets", title: "资产" }] : []),
    { key: "pictures", title: "图片", ...(data.pictures.length && { count: data.pictures.length }) },
    { key: "log", title: "日志" },
  ];
  const on = items.find((i) => i.key === address.get("part"))?.key ?? "overview";
  const panel = panels.find((p) => p.key === on);
  const Panel = panel && panelOf(panel);
  const part = () => {
    if (Panel) return <Panel id={data.id} />;
    if (on === "timeline") return <TimelineTab room={data} />;
    if (on === "prices") return <RoomPrices room={data} />;
    if (on === "assets") return <Assets at={{ roomId: data.id }} name={data.fullName} />;
    if (on === "pictures") return <Pictures room={data} />;
    if (on === "log") return <History kind="room" id={data.id} />;
    return <RoomOverview room={data} />;
  };
  return (
    <>
      <Underline
        small
        label="房间资料"
        items={items}
        on={on}
        onChange={(key) => set({ part: key === "overview" ? undefined : key })}
      />
      <div role="tabpanel" className="rd__part">
        <Arriving key={on} fallback={<RowsSkeleton rows={4} />}>
          {part()}
        </Arriving>
      </div>
    </>
  );
}

function Pictures({ room }: { room: RoomDetail }) {
  if (!room.pictures.length)
    return <Empty text={may("6.edit") ? "还没有图片：点编辑可上传" : "还没有图片"} />;
  return (
    <div className="rd__pics grid gap-6">
      {room.pictures.map((id, i) => (
        <button
          key={id}
          type="button"
          aria-label={`查看第 ${i + 1} 张图片`}
          onClick={() => void openFile(`/system/api/v3/file/${id}`)}
        >
          <Picture fileId={id} label={`第 ${i + 1} 张图片`} className="rd__pic--big" />
        </button>
      ))}
    </div>
  );
}
