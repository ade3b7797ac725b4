import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";
import type { Call, Reply, Sent } from "../../../platform/kernel/call.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { sentence, showFailure } from "../../../platform/console/calls/failure.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import "./workbench.css";
import "./pictures.css";

/** Between two looks while the page is in sight. */
const EVERY = 50_000;

/** A card's own query: again on focus and every 50 s while it is seen, and alone in its failure. */
export const useWorkbench = <C extends Call>(
  call: C,
  query: Sent<C> extends { query: infer Q } ? Q : never,
) =>
  useQuery({
    queryKey: [call.path, query],
    queryFn: ({ signal }) => sendWire<Reply<C>>(call, { query: query as object }, { signal }),
    refetchInterval: EVERY,
    refetchOnWindowFocus: true,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** A card with its head. Without data it is the shape of what comes, or the failure and the way out of it. */
export function Card<T>({
  title,
  note,
  tools,
  result,
  skeleton,
  className = "",
  picture = false,
  children,
}: {
  title: string;
  note?: ReactNode;
  tools?: ReactNode;
  result: UseQueryResult<T>;
  skeleton: ReactNode;
  className?: string;
  /** Can be saved as a picture; what draws itself on a canvas has its own way. */
  picture?: boolean;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = result;
  const box = useRef<HTMLElement>(null);
  const save = async () => {
    const { savePicture } = await import("../../../platform/console/shell/page-picture.ts");
    if (box.current) await savePicture(box.current, title).catch(showFailure);
  };
  return (
    <section className={`card ${className}`} aria-label={title} ref={box}>
      <div className="card__h">
        <h2>{title}</h2>
        {data !== undefined && !error && <span className="bench__note">{note}</span>}
        {data !== undefined && error && (
          <span className="bench__note bad" title={sentence(error)}>
            更新失败，所示为旧数据
          </span>
        )}
        <span className="grow" />
        {tools}
        {picture && data !== undefined && (
          <span data-picture="off">
            <IconButton icon="download" size={14} small label={`${title}保存图片`} run={save} />
          </span>
        )}
      </div>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <div className="bench__broken" role="alert">
          加载失败，
          <Button look="text" run={() => refetch()}>
            重试
          </Button>
        </div>
      ) : (
        <div aria-busy="true" aria-label="加载中">
          {skeleton}
        </div>
      )}
    </section>
  );
}

export const CellsSkeleton = ({ count, className }: { count: number; className: string }) => (
  <div className={`cells ${className}`}>
    {Array.from({ length: count }, (_, i) => (
      <div key={i} className="cells__one skel">
        <i style={{ width: "48%" }} />
        <i style={{ width: "64%", height: 18, marginTop: 10 }} />
      </div>
    ))}
  </div>
);
