import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Failure, sentence } from "../calls/failure.ts";
import { ChunkLost } from "../screens/load.tsx";
import { copy } from "./toast.ts";

/** A page that has not come yet: the shape of a list, so that nothing jumps. */
export const PageSkeleton = () => (
  <div className="skel skel--page" role="status" aria-busy="true" aria-label="加载中">
    <i style={{ width: 360, height: 32 }} />
    <i style={{ height: 32 }} />
    <div className="card">
      <RowsSkeleton rows={12} />
    </div>
  </div>
);

export const RowsSkeleton = ({ rows = 8 }: { rows?: number }) => (
  <div className="skel__rows" role="status" aria-busy="true" aria-label="加载中">
    {Array.from({ length: rows }, (_, i) => (
      <div key={i}>
        {[18, 12, 10, 14, 10, 12, 9].map((w, k) => (
          <i key={k} style={{ width: `${w - ((i + k) % 3) * 1.5}%` }} />
        ))}
      </div>
    ))}
  </div>
);

/** The same for what is worked out first: from the second second on it says what, and for how long. */
export function Working({ what = "正在试算", rows = 8 }: { what?: string; rows?: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const tick = setInterval(() => setSeconds((n) => n + 1), 1000);
    return () => clearInterval(tick);
  }, []);
  return (
    <>
      {seconds > 0 && (
        <p className="sub">
          {what}，已用 {seconds} 秒
        </p>
      )}
      <RowsSkeleton rows={rows} />
    </>
  );
}

/** What happened, what to do, and the id that finds it in the server's log. */
export function Broken({ error, retry }: { error: unknown; retry: () => unknown }) {
  const id = error instanceof Failure ? error.requestId : undefined;
  const forbidden = error instanceof Failure && error.status === 403;
  // asked again, it is no more there than before
  const gone = error instanceof Failure && error.status === 404;
  return (
    <div className="state" role="alert">
      <Picture kind={forbidden ? "lock" : "warn"} />
      <p>{error instanceof ChunkLost ? error.message : sentence(error)}</p>
      {forbidden && <p className="dim">需要开通权限时，请联系贵公司的系统管理员</p>}
      {gone && <p className="dim">可能已被删除，或不在您可查看的门店范围内</p>}
      {id && (
        <button
          type="button"
          className="state__id fs-12 dim"
          title="复制请求编号"
          onClick={() => void copy(id)}
        >
          请求编号 {id}
        </button>
      )}
      {error instanceof ChunkLost ? (
        <Button run={() => location.reload()}>重新加载</Button>
      ) : (
        !forbidden && !gone && <Button run={retry}>重试</Button>
      )}
    </div>
  );
}

/** Nothing there yet: what the page is for, and the button that starts. */
export const Empty = ({ text, children }: { text: ReactNode; children?: ReactNode }) => (
  <div className="state">
    <Picture kind="rows" />
    <p>{text}</p>
    {children}
  </div>
);

const DRAWN = {
  rows: "M12 14h72v44H12zM12 25h72M24 36h28M24 46h40",
  warn: "M48 10 84 62H12zM48 28v16M48 51v1",
  lock: "M26 32h44v30H26zM34 32v-8a14 14 0 0 1 28 0v8",
};

const Picture = ({ kind }: { kind: keyof typeof DRAWN }) => (
  <svg className="state__pic" viewBox="0 0 96 72" aria-hidden="true">
    <path d={DRAWN[kind]} />
  </svg>
);

/** What is shown is of a while ago, because asking anew did not work. */
export const Stale = ({ at, retry }: { at: string; retry: () => void }) => (
  <div className="form__alert list__late" role="alert">
    刷新失败，显示的是 {at} 的数据
    <button type="button" className="linkish" onClick={retry}>
      重试
    </button>
  </div>
);
