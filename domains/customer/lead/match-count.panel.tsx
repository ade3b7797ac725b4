import { useQuery } from "@tanstack/react-query";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { countMatches } from "./match-count.contract.ts";

type Waiting = { id: number; done: (rooms: number) => void; failed: (error: unknown) => void };
let waiting: Waiting[] = [];

/** What the rows of a page ask for at once is asked as one. */
async function askAll(): Promise<void> {
  const asked = waiting;
  waiting = [];
  try {
    const ids = [...new Set(asked.map((w) => w.id))].join(",");
    const counts = await send(countMatches, { query: { ids } as never });
    const found = new Map(counts.map((c) => [c.id, c.rooms]));
    for (const one of asked) one.done(found.get(one.id) ?? 0);
  } catch (error) {
    for (const one of asked) one.failed(error);
  }
}
const countOf = (id: number): Promise<number> =>
  new Promise((done, failed) => {
    if (!waiting.length) setTimeout(() => void askAll(), 0);
    waiting.push({ id, done, failed });
  });

/** The number of rooms that suit a lead, as soon as it is known; it opens them. */
export function MatchCount({ id, version, open }: { id: number; version: number; open: () => void }) {
  const { data, error } = useQuery({
    queryKey: [countMatches.path, id, version],
    queryFn: () => countOf(id),
    staleTime: 60_000,
    retry: false,
  });
  if (error) return NONE;
  if (data === undefined) return <span className="dim">…</span>;
  return data ? (
    <button type="button" className="linkish" onClick={open}>
      {data} 间
    </button>
  ) : (
    <span className="dim">0 间</span>
  );
}
