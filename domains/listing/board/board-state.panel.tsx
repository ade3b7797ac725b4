import { useCallback, useMemo, useRef, useState, useEffect } from "react";
import { useKept } from "../../../platform/console/filter/stored-choice.ts";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { Broken } from "../../../platform/console/parts/states.tsx";
import { useAddress, usePage } from "../../../platform/console/screens/page.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { GROUPS, type Group } from "./arrange.rules.ts";
import { type Moves, compareDays, flatsOf, tileOf, type Tile } from "./board.rules.ts";
import { boardChanges, roomBoard, type BoardBuilding } from "./board.contract.ts";
import { exportRoomStatus } from "./list.contract.ts";
import { useHits } from "./search.panel.tsx";
import { MORE_KEYS, figuresOf, floorNumbers, sieveOf, tally } from "./sieve.rules.ts";
import { OCCUPANCIES, OCCUPANCY_KEYS, type Occupancy } from "../status/status.rules.ts";
import { type Chosen, DENSITIES, type Density, TINTS, UNITS, VIEWS } from "./tile.rules.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { send } from "../../../platform/console/calls/request.ts";

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

const sameTile = (a: Tile | undefined, b: Tile) => JSON.stringify(a) === JSON.stringify(b);

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
      const changed = new Map(tiles.filter((t) => !sameTile(known.get(t.id), t)).map((t) => [t.id, t]));
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

export type Cell = { from: Occupancy; to: Occupancy };
type Props = {
  from: string;
  to: string;
  moves: Moves | undefined;
  error: unknown;
  retry: () => unknown;
  chosen: Cell | undefined;
  onChoose: (cell: Cell | undefined) => void;
};

/** From one day to another: how many rooms went from which state to which. A number filters the board. */
export function CompareMatrix({ from, to, moves, error, retry, chosen, onChoose }: Props) {
  if (error) return <Broken error={error} retry={retry} />;
  if (!moves) return null;
  const used = OCCUPANCY_KEYS.filter((key) =>
    OCCUPANCY_KEYS.some((other) => moves.counts[key][other] || moves.counts[other][key]),
  );
  const sum = (pick: (key: Occupancy) => number) => used.reduce((n, key) => n + pick(key), 0);
  return (
    <section className="rb__matrix" aria-label="对比">
      <table className="tbl">
        <thead>
          <tr>
            <th>
              {from} ↓　{to} →
            </th>
            {used.map((key) => (
              <th key={key} className="num">
                {OCCUPANCIES[key][0]}
              </th>
            ))}
            <th className="num">合计</th>
          </tr>
        </thead>
        <tbody>
          {used.map((row) => (
            <tr key={row}>
              <th>{OCCUPANCIES[row][0]}</th>
              {used.map((column) => {
                const n = moves.counts[row][column];
                const on = chosen?.from === row && chosen.to === column;
                return (
                  <td key={column} className="num">
                    {row === column || !n ? (
                      <span className="dim">{n || "—"}</span>
                    ) : (
                      <button
                        type="button"
                        className={`linkish ${on ? "on" : ""}`}
                        aria-pressed={on}
                        onClick={() => onChoose(on ? undefined : { from: row, to: column })}
                      >
                        {n}
                      </button>
                    )}
                  </td>
                );
              })}
              <td className="num">
                <b>{sum((column) => moves.counts[row][column])}</b>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>合计</th>
            {used.map((column) => (
              <td key={column} className="num">
                <b>{sum((row) => moves.counts[row][column])}</b>
              </td>
            ))}
            <td className="num">
              <b>{sum((row) => sum((column) => moves.counts[row][column]))}</b>
            </td>
          </tr>
        </tfoot>
      </table>
      {(moves.came > 0 || moves.went > 0) && (
        <p className="dim">
          {moves.came > 0 && `其间新增 ${moves.came} 间`}
          {moves.came > 0 && moves.went > 0 && "，"}
          {moves.went > 0 && `注销 ${moves.went} 间`}
        </p>
      )}
    </section>
  );
}

const oneOf = <K extends string>(words: Record<K, unknown>, value: string | null, otherwise: K): K =>
  value !== null && value in words ? (value as K) : otherwise;

/** Choices that mean nothing in another village. */
const OF_VILLAGE = [
  "villageIds",
  "buildings",
  "units",
  "floors",
  "products",
  "layouts",
  "tags",
  "room",
  "flat",
  "part",
  "moved",
  "keyword",
  "pageNo",
] as const;
const none = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, undefined]));
export type Selecting = "toggle" | "add" | "only";

/** Everything that a board is at a moment: what was chosen, what is shown, what was picked. */
export function useBoardState(villageId: number | undefined) {
  const [address, set] = useAddress();
  const [density, keepDensity] = useKept<Density>("board.density", "m");
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [only, setOnly] = useState(false);
  const show = useRef<(id: number) => void>(undefined);
  const chosen: Chosen = {
    villageId,
    day: (address.get("day") as Day | null) ?? undefined,
    view: oneOf(VIEWS, address.get("view"), "tiles"),
    density: oneOf(DENSITIES, address.get("density"), density),
    tint: oneOf(TINTS, address.get("tint"), "occupancy"),
    group: oneOf<Group>(GROUPS, address.get("group"), "building"),
    unit: oneOf(UNITS, address.get("unit"), "room"),
    compare: address.get("vs") ?? undefined,
  };
  const query = useBoard(villageId, chosen.day);
  const before = useBoard(chosen.compare ? villageId : undefined, chosen.compare);
  const { data: board } = query;
  const live = useLive(board, chosen.day);
  const day = board?.day ?? "";
  const flats = chosen.unit === "flat";

  const sieve = useMemo(() => sieveOf(address), [address]);
  const all = useMemo(() => (board ? (flats ? flatsOf(board.tiles) : board.tiles) : []), [board, flats]);
  const buildings = board?.buildings;
  const floorOf = useMemo(() => floorNumbers(buildings ?? []), [buildings]);
  const titles = useMemo(
    () => (buildings ?? []).map((b) => [b.community, b.name].filter(Boolean).join(" ")),
    [buildings],
  );
  const counts = useMemo(() => tally(all, sieve, day, floorOf), [all, sieve, day, floorOf]);
  const moves = useMemo(
    () => (board && before.data && chosen.compare ? compareDays(before.data.tiles, board.tiles) : undefined),
    [board, before.data, chosen.compare],
  );
  const cell = useMemo(() => cellOf(address.get("moved")), [address]);
  const inCell = useMemo(
    () => (cell && moves ? counts.shown.filter((t) => same(moves.moved.get(t.id), cell)) : counts.shown),
    [counts.shown, cell, moves],
  );
  const hits = useHits(inCell, villageId, titles, (id) => show.current?.(id));
  const shown = useMemo(
    () => (only && hits.searching ? inCell.filter((t) => hits.ids.has(t.id)) : inCell),
    [only, hits.searching, hits.ids, inCell],
  );
  const figures = useMemo(() => figuresOf(counts.stock, day), [counts.stock, day]);
  const openId = Number(address.get("room")) || undefined;
  const openFlat = Number(address.get("flat")) || undefined;

  const select = useCallback((ids: readonly number[], how: Selecting) => {
    setSelected((now) => {
      if (how === "only") return new Set(ids);
      const next = new Set(now);
      for (const id of ids) {
        if (how === "toggle" && next.has(id)) next.delete(id);
        else next.add(id);
      }
      return next;
    });
  }, []);
  return {
    address,
    set,
    chosen,
    /** Which villages the overview is of; undefined is all. */
    villageIds: address.get("villageIds") ?? undefined,
    query,
    before,
    board,
    live,
    sieve,
    counts,
    moves,
    cell,
    hits,
    only,
    setOnly,
    shown,
    figures,
    openId,
    openFlat,
    selected,
    select,
    /** How many of the further filters are set. */
    more: MORE_KEYS.filter((key) => address.get(key)).length,
    filtered: ["occ", "cond", "flag", "moved", ...MORE_KEYS].some((key) => address.get(key)),
    clear: () => set(none(["occ", "cond", "flag", "moved", ...MORE_KEYS])),
    open: useCallback(
      (room: number | undefined) =>
        set(room === undefined ? { room, part: undefined } : { room, flat: undefined }, {
          push: openId === undefined,
        }),
      [set, openId],
    ),
    openTheFlat: useCallback(
      (flat: number | undefined) =>
        set({ flat, room: undefined, part: undefined }, { push: flat !== undefined }),
      [set],
    ),
    onReady: useCallback((way: (id: number) => void) => void (show.current = way), []),
    choose: (patch: Partial<Record<keyof Chosen, string | number | undefined>>) => {
      const { compare, ...rest } = patch;
      if (patch.density) keepDensity(patch.density as Density);
      if ("villageId" in patch || "day" in patch || "unit" in patch) select([], "only");
      set({
        ...("villageId" in patch && none(OF_VILLAGE)),
        ...rest,
        ...("compare" in patch && { vs: compare, moved: undefined }),
      });
    },
    save: (ids?: readonly number[]) => {
      const filter = Object.fromEntries(
        ["occ", "cond", "flag", ...MORE_KEYS].map((key) => [key, address.get(key) ?? undefined]),
      );
      // what was found or moved is known in the browser alone
      const some = ids ?? (only || cell ? shown.map((t) => t.id) : undefined);
      const query = { villageId, day: chosen.day, ...(some ? { roomIds: some.join(",") } : filter) };
      return exportList(exportRoomStatus, { query }, []);
    },
  };
}
export type BoardState = ReturnType<typeof useBoardState>;

const same = (move: Cell | undefined, cell: Cell) => move?.from === cell.from && move.to === cell.to;

function cellOf(text: string | null): Cell | undefined {
  const [from, to] = (text ?? "").split("-").map((word) => OCCUPANCY_KEYS.find((key) => key === word));
  return from && to ? { from, to } : undefined;
}
