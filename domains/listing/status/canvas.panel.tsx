import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import type { Day } from "../../../platform/kernel/day.ts";
import { linesBetween, neighbour, spotsOf, type Geometry, type Line, type Spot } from "./arrange.rules.ts";
import type { Tile } from "./board.rules.ts";
import { SectionHead } from "./section.panel.tsx";
import { TileLine } from "./tile-line.panel.tsx";
import { dress, useHover, type TileState } from "./tile-state.panel.tsx";
import type { Density } from "./tile.rules.ts";
import { useFrame } from "./frame.panel.tsx";

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
