import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "../parts/button.tsx";
import { sendWire } from "../calls/request.ts";
import { Broken, RowsSkeleton } from "../parts/states.tsx";
import { Timeline } from "./timeline.tsx";

type Line = { id: number; at: string; action: string; summary: string; operatorName: string };
type Page = { list: Line[]; total: number };
const SIZE = 50;

/** The 动态 tab of any record: what the business log says about it, newest first. `kind` as it was noted: bill, contract. */
export function History({ kind, id }: { kind: string; id: number }) {
  const query = useInfiniteQuery({
    queryKey: ["history", kind, id],
    queryFn: ({ pageParam, signal }) =>
      sendWire<Page>(
        { method: "GET", path: "/system/api/v3/businessLog/:kind/:recordId" },
        { params: { kind, recordId: id }, query: { pageNo: pageParam, pageSize: SIZE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * SIZE < last.total ? all.length + 1 : undefined),
  });
  const { data, error, refetch, hasNextPage, fetchNextPage } = query;
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const moments = data.pages.flatMap((page) =>
    page.list.map((line) => ({
      key: line.id,
      at: line.at,
      who: line.operatorName,
      what: line.action,
      note: line.summary,
    })),
  );
  return (
    <>
      <Timeline moments={moments} />
      {hasNextPage && <Button run={() => fetchNextPage()}>更早的动态</Button>}
    </>
  );
}
