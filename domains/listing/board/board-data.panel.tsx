import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Day } from "../../../platform/kernel/day.ts";
import { usePage } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { boardChanges, roomBoard, type BoardBuilding } from "./board.contract.ts";
import { tileOf, type Tile } from "./board.rules.ts";

export type Board = {
  village: { id: number; name: string; mode: string; openingDay: string };
  day: Day;
  today: Day;
  kind: "past" | "today" | "future";
  seq: number;
  buildings: BoardBuilding[];
  products: { id: number; name: string }[];
  tiles: Tile[];
};

const keyOf = (villageId: number | undefined, day: Day | undefined) => [
  roomBoard.path,
  villageId,
  day ?? "today",
];

/** The board of a village on a day, indexed in memory; undefined is today, which moves on at midnight. */
export const useBoard = (villageId: number | undefined, day: Day | undefined) =>
  useQuery({
    queryKey: keyOf(villageId, day),
    queryFn: async ({ signal }): Promise<Board> => {
      const {
        rows,
        fields: _,
        ...board
      } = await send(roomBoard, { query: { villageId: villageId!, day } }, { signal });
      return { ...board, tiles: rows.map(tileOf) };
    },
    enabled: villageId !== undefined,
    placeholderData: (before) => (before?.village.id === villageId ? before : undefined),
    staleTime: 60_000,
  });

/** How often a board that is looked at asks what changed. */
const EVERY_MS = 20_000;
const FLASH_MS = 1_600;

const same = (a: Tile | undefined, b: Tile) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Keeps today's board current while it is visible. Answers the tiles that just changed, so that they flash once, and
 * when it was last in step with the server.
 */
export function useLive(
  board: Board | undefined,
  day: Day | undefined,
): { flashed: ReadonlySet<number>; at: string } {
  const client = useQueryClient();
  const { active } = usePage();
  const [flashed, setFlashed] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState("");
  const villageId = board?.village.id;
  const live = active && day === undefined && board?.kind === "today";
  const key = useMemo(() => keyOf(villageId, day), [villageId, day]);
  useEffect(() => {
    if (board) setAt(new Date().toTimeString().slice(0, 5));
  }, [board]);
  useEffect(() => {
    if (!live || villageId === undefined) return;
    const ask = async () => {
      if (document.hidden) return;
      const now = client.getQueryData<Board>(key);
      if (!now) return;
      const news = await send(boardChanges, { query: { villageId, since: now.seq } }).catch(() => undefined);
      if (!news) return;
      const known = new Map(now.tiles.map((t) => [t.id, t]));
      const tiles = news.rows.map(tileOf);
      // a new day, or a room that was not there: the whole board is asked anew
      if (news.day !== now.day || tiles.some((t) => !known.has(t.id)))
        return client.invalidateQueries({ queryKey: key });
      setAt(new Date().toTimeString().slice(0, 5));
      const changed = new Map(tiles.filter((t) => !same(known.get(t.id), t)).map((t) => [t.id, t]));
      const gone = new Set(news.gone.filter((id) => known.has(id)));
      if (!changed.size && !gone.size) return client.setQueryData<Board>(key, { ...now, seq: news.seq });
      client.setQueryData<Board>(key, {
        ...now,
        seq: news.seq,
        tiles: now.tiles.filter((t) => !gone.has(t.id)).map((t) => changed.get(t.id) ?? t),
      });
      setFlashed(new Set(changed.keys()));
      setTimeout(() => setFlashed(new Set()), FLASH_MS);
    };
    const timer = setInterval(() => void ask(), EVERY_MS);
    const back = () => void ask();
    document.addEventListener("visibilitychange", back);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", back);
    };
  }, [live, villageId, key, client]);
  return { flashed, at };
}
