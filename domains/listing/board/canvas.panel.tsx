import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import type { Day } from "../../../platform/kernel/day.ts";
import {
  type Geometry,
  type Line,
  type Section,
  type Spot,
  linesBetween,
  neighbour,
  spotsOf,
} from "./arrange.rules.ts";
import { type Tile, isLet } from "./board.rules.ts";
import { TileLine, useFrame } from "./tile-line.panel.tsx";
import { OCCUPANCY_KEYS, hasFlag } from "../status/status.rules.ts";
import type { Density } from "./tile.rules.ts";

export type TileState = {
  opened: number | undefined;
  selected: ReadonlySet<number>;
  hits: ReadonlySet<number> | undefined;
  flashed: ReadonlySet<number>;
};

/** Puts what is chosen, open, found or just changed onto the tiles that exist now. */
export function dress(box: HTMLElement | null, p: TileState, active: number | undefined): void {
  if (!box) return;
  for (const el of box.querySelectorAll<HTMLElement>(".tile")) {
    const id = Number(el.dataset.id);
    el.classList.toggle("sel", p.selected.has(id));
    el.classList.toggle("open", id === p.opened);
    el.classList.toggle("hit", p.hits?.has(id) ?? false);
    el.classList.toggle("dim", p.hits !== undefined && !p.hits.has(id));
    el.classList.toggle("flash", p.flashed.has(id));
    el.setAttribute("aria-pressed", String(p.selected.has(id)));
    el.tabIndex = id === active ? 0 : -1;
  }
}

const HOVER_MS = 300;

/** Tells on which tile a mouse has rested for a moment. */
export function useHover(
  lines: readonly Line[],
  onHover: (tile: Tile | undefined, at: DOMRect | undefined) => void,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => {
    clearTimeout(timer.current);
    onHover(undefined, undefined);
  };
  return {
    onPointerOver: (event: React.PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      const el = (event.target as Element).closest<HTMLElement>("[data-id]");
      if (!el) return stop();
      clearTimeout(timer.current);
      const id = Number(el.dataset.id);
      timer.current = setTimeout(() => {
        for (const line of lines) {
          const placed = line.kind === "tiles" ? line.tiles.find((t) => t.tile.id === id) : undefined;
          if (placed && el.isConnected) return onHover(placed.tile, el.getBoundingClientRect());
        }
      }, HOVER_MS);
    },
    onPointerLeave: stop,
    onPointerDown: stop,
    onWheel: stop,
  };
}

/** The head of a building: its name, a scale of what stands in it, and the counts that matter. */
export function SectionHead({
  section,
  folded,
  onFold,
}: {
  section: Section;
  folded: boolean;
  onFold: (key: string) => void;
}) {
  const of = (occupancy: string) => section.tiles.filter((t) => t.occupancy === occupancy).length;
  const scale = OCCUPANCY_KEYS.map((key) => ({ key, n: of(key) }))
    .filter(({ n }) => n)
    .toSorted((a, b) => b.n - a.n);
  const late = section.tiles.filter((t) => hasFlag(t.flags, "arrears")).length;
  return (
    <div className="rb__head row gap-6 fs-13 sub">
      <button type="button" aria-expanded={!folded} onClick={() => onFold(section.key)}>
        <Icon name={folded ? "right" : "down"} size={12} />
        <b>{section.title}</b>
      </button>
      <span>{section.note}</span>
      <span className="rb__scale" aria-hidden="true">
        {scale.map(({ key, n }) => (
          <i key={key} className={`t-${key}`} style={{ flex: n }} />
        ))}
      </span>
      <span>
        在租 <b>{section.tiles.filter(isLet).length}</b>
      </span>
      <span>
        空置 <b>{of("vacant")}</b>
      </span>
      <span className="rb__less">
        即将到期 <b>{of("expiring")}</b>
      </span>
      {late > 0 && (
        <span className="rb__less">
          欠费 <b>{late}</b>
        </span>
      )}
    </div>
  );
}

export type CanvasProps = TileState & {
  lines: readonly Line[];
  height: number;
  geometry: Geometry;
  density: Density;
  day: Day;
  tintOf: (tile: Tile) => string;
  moved: ReadonlySet<number>;
  folded: ReadonlySet<string>;
  onFold: (key: string) => void;
  onOpen: (id: number) => void;
  onFlat: (apartmentId: number) => void;
  /** `with` keeps what was selected before. */
  onSelect: (ids: readonly number[], how: "toggle" | "add" | "only") => void;
  onHover: (tile: Tile | undefined, at: DOMRect | undefined) => void;
  /** Draws every line, for paper. */
  whole: boolean;
  /** Hands out the way to bring a tile into view. */
  onReady: (show: (id: number) => void) => void;
  box: RefObject<HTMLDivElement | null>;
};

const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

/** The wall of tiles. Only the lines in sight and half a screen around them exist as elements. */
export function Canvas(p: CanvasProps) {
  const { lines, box } = p;
  const [range, setRange] = useState({ from: 0, to: 2000 });
  const [active, setActive] = useState<number>();
  const [pinned, setPinned] = useState(-1);
  const wanted = useRef<number>(undefined);
  const last = useRef<number>(undefined);
  const spots = useRef<{ of: readonly Line[]; map: Map<number, Spot> }>({ of: [], map: new Map() });
  if (spots.current.of !== lines) spots.current = { of: lines, map: spotsOf(lines) };
  const frame = useFrame(p);

  const follow = useCallback(() => {
    const el = frame.scroller();
    if (!el) return;
    const top = el.scrollTop - frame.offset();
    const seen = el.clientHeight;
    setPinned(pinnedAt(lines, top));
    setRange((r) => {
      // drawn anew only when less than a quarter of a screen is left on one side
      const enough = (r.from <= 0 || top - r.from > seen / 4) && r.to - (top + seen) > seen / 4;
      return enough ? r : { from: Math.max(0, top - seen / 2), to: top + seen * 1.5 };
    });
  }, [frame, lines]);
  useEffect(() => {
    const el = frame.scroller();
    if (!el) return;
    // in step with the scroll, so that no band is blank
    const onScroll = () => flushSync(follow);
    el.addEventListener("scroll", onScroll, { passive: true });
    const sized = new ResizeObserver(() => follow());
    sized.observe(el);
    return () => {
      el.removeEventListener("scroll", onScroll);
      sized.disconnect();
    };
  }, [frame, follow]);
  useLayoutEffect(() => follow(), [follow]);

  const show = useCallback(
    (id: number) => {
      const spot = spots.current.map.get(id);
      const line = spot && lines[spot.line];
      const el = frame.scroller();
      if (!line || !el) return;
      const top = frame.offset() + line.top;
      const above = el.scrollTop + 48;
      if (top < above || top + line.height > el.scrollTop + el.clientHeight)
        el.scrollTop = Math.max(0, top - el.clientHeight / 3);
      // the keys go on from what was looked for
      setActive(id);
    },
    [frame, lines],
  );
  const { onReady } = p;
  useLayoutEffect(() => onReady(show), [onReady, show]);

  useLayoutEffect(() => dress(box.current, p, active));
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    box.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"]`)?.focus({ preventScroll: true });
    wanted.current = undefined;
  });

  const move = (id: number | undefined) => {
    if (id === undefined) return;
    wanted.current = id;
    setActive(id);
    show(id);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const id = idAt(event.target) ?? active;
    if (ARROWS.has(event.key)) {
      event.preventDefault();
      const first = lines.find((l) => l.kind === "tiles");
      move(
        id === undefined
          ? first?.kind === "tiles"
            ? first.tiles[0]?.tile.id
            : undefined
          : neighbour(lines, spots.current.map, id, event.key as "ArrowUp"),
      );
    } else if (event.key === " " && idAt(event.target) !== undefined) {
      event.preventDefault();
      p.onSelect([id!], "toggle");
    } else if (event.key === "Escape" && p.selected.size) p.onSelect([], "only");
  };
  const onClick = (event: React.MouseEvent) => {
    const id = idAt(event.target);
    if (id === undefined) {
      const flat = (event.target as HTMLElement).dataset.flat;
      if (flat) p.onFlat(Number(flat));
      return;
    }
    setActive(id);
    // Enter opens, whatever is selected
    if (event.detail === 0) return p.onOpen(id);
    if (event.shiftKey && last.current !== undefined) p.onSelect(between(lines, last.current, id), "add");
    else if (event.ctrlKey || event.metaKey || p.selected.size) p.onSelect([id], "toggle");
    else p.onOpen(id);
    last.current = id;
  };
  const hover = useHover(lines, p.onHover);
  const drag = frame.drag((from, to) => p.onSelect(frame.inside(lines, from, to), "add"));
  const drawn = p.whole ? lines : linesBetween(lines, range.from, range.to);
  const head = pinned >= 0 ? lines[pinned] : undefined;
  return (
    <div
      ref={box}
      className={`rb__board rb__board--${p.density}`}
      role="group"
      aria-label="房态图"
      tabIndex={active === undefined ? 0 : -1}
      onKeyDown={onKeyDown}
      onClick={onClick}
      {...hover}
      {...drag.on}
    >
      <div className="rb__pin">
        {head?.kind === "head" && (
          <SectionHead section={head.section} folded={p.folded.has(head.key)} onFold={p.onFold} />
        )}
      </div>
      <div className="rb__all" style={{ height: p.height }}>
        {drawn.map((line) =>
          line.kind === "head" ? (
            <div key={line.key} className="rb__line rb__line--head" style={{ top: line.top }}>
              <SectionHead section={line.section} folded={p.folded.has(line.key)} onFold={p.onFold} />
            </div>
          ) : (
            <TileLine key={line.key} line={line} {...p} onFloor={(ids) => p.onSelect(ids, "add")} />
          ),
        )}
        {drag.box && <div className="rb__lasso" style={drag.box} />}
      </div>
    </div>
  );
}

const idAt = (target: EventTarget): number | undefined => {
  const id = Number((target as Element).closest<HTMLElement>("[data-id]")?.dataset.id);
  return id || undefined;
};

/** The head that stays in sight: the last one above the window's edge. */
function pinnedAt(lines: readonly Line[], top: number): number {
  let at = -1;
  for (const [i, line] of lines.entries()) {
    if (line.top >= top) break;
    if (line.kind === "head") at = i;
  }
  return at;
}

/** Every tile from one to another in the order of the board. */
function between(lines: readonly Line[], a: number, b: number): number[] {
  const all = lines.flatMap((l) => (l.kind === "tiles" ? l.tiles.map((t) => t.tile.id) : []));
  const [from, to] = [all.indexOf(a), all.indexOf(b)].toSorted((x, y) => x - y) as [number, number];
  return all.slice(from, to + 1);
}
