import { type CSSProperties, type RefObject, memo, useMemo, useState } from "react";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Geometry, Line, Placed } from "./arrange.rules.ts";
import type { Tile } from "./board.rules.ts";
import { type Density, tileHtml } from "./tile.rules.ts";

type LineProps = {
  geometry: Geometry;
  density: Density;
  day: Day;
  tintOf: (tile: Tile) => string;
  moved: ReadonlySet<number>;
  line: Extract<Line, { kind: "tiles" }>;
  onFloor: (ids: readonly number[]) => void;
};

/** How far the frame of a flat stands out around its rooms. */
const FRAME = 2;

/** Flats of which more than one room stands on the line, side by side. */
function flatsIn(placed: readonly Placed[]) {
  const flats: { id: number; door: string; from: number; to: number; rooms: number }[] = [];
  for (const { tile, x } of placed) {
    const last = flats.at(-1);
    if (last?.id === tile.apartmentId) {
      last.to = x;
      last.rooms++;
    } else flats.push({ id: tile.apartmentId, door: tile.door, from: x, to: x, rooms: 1 });
  }
  return flats.filter((flat) => flat.rooms > 1);
}

/** One floor, or a part of it. It is drawn again only when what stands in it changes. */
export const TileLine = memo(
  function TileLine({ line, geometry, density, day, tintOf, moved, onFloor }: LineProps) {
    const html = line.tiles
      .map(({ tile, x }) =>
        tileHtml(tile, x, {
          tint: tintOf(tile),
          density,
          day,
          width: geometry.tileWidth,
          moved: moved.has(tile.id),
        }),
      )
      .join("");
    return (
      <div className="rb__line" style={{ top: line.top, height: line.height }}>
        {line.label && geometry.label > 0 && (
          <button
            type="button"
            className="rb__floor fs-12 dim"
            tabIndex={-1}
            title={`选择 ${line.label}`}
            onClick={(event) => {
              event.stopPropagation();
              onFloor(line.floor);
            }}
          >
            {line.label}
          </button>
        )}
        {flatsIn(line.tiles).map((flat) => (
          <i
            key={flat.id}
            className="rb__flat"
            data-flat={flat.id}
            title={`${flat.door} 整套`}
            style={{ left: flat.from - FRAME, width: flat.to - flat.from + geometry.tileWidth + 2 * FRAME }}
          />
        ))}
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </div>
    );
  },
  (a, b) =>
    a.line === b.line &&
    a.geometry === b.geometry &&
    a.density === b.density &&
    a.day === b.day &&
    a.tintOf === b.tintOf &&
    a.moved === b.moved,
);

type Point = { x: number; y: number };

/** What scrolls, how far down in it the tiles begin, and a rectangle drawn over them. */
export function useFrame(p: { box: RefObject<HTMLDivElement | null>; geometry: Geometry }) {
  const phone = usePhone();
  const [from, setFrom] = useState<Point>();
  const [to, setTo] = useState<Point>();
  const { box, geometry } = p;
  const still = useMemo(() => {
    // on a phone the whole page scrolls, elsewhere the wall alone
    const scroller = () => (phone ? box.current?.closest<HTMLElement>(".body") : box.current) ?? undefined;
    const all = () => box.current?.querySelector<HTMLElement>(".rb__all");
    return {
      scroller,
      offset: () => {
        const inner = all();
        const outer = scroller();
        if (!inner || !outer) return 0;
        return inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
      },
      pointOf: (event: React.PointerEvent): Point => {
        const at = all()?.getBoundingClientRect();
        return { x: event.clientX - (at?.left ?? 0), y: event.clientY - (at?.top ?? 0) };
      },
      inside: (lines: readonly Line[], a: Point, b: Point) => inside(lines, geometry, a, b),
    };
  }, [phone, box, geometry]);
  return useMemo(
    () => ({
      ...still,
      drag: (done: (from: Point, to: Point) => void) => ({
        box: from && to && rectangle(from, to),
        on: {
          onPointerDownCapture: (event: React.PointerEvent) => {
            const el = event.target as Element;
            if (event.button !== 0 || event.pointerType !== "mouse" || el.closest("button,a,input")) return;
            setFrom(still.pointOf(event));
          },
          onPointerMove: (event: React.PointerEvent) => {
            if (!from) return;
            if (!to) event.currentTarget.setPointerCapture(event.pointerId);
            setTo(still.pointOf(event));
          },
          onPointerUp: () => {
            if (from && to) done(from, to);
            setFrom(undefined);
            setTo(undefined);
          },
        },
      }),
    }),
    [still, from, to],
  );
}

const rectangle = (a: Point, b: Point): CSSProperties => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** Tiles that a rectangle touches, by where they lie and not by what is drawn. */
function inside(lines: readonly Line[], g: Geometry, a: Point, b: Point): number[] {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return lines.flatMap((line) =>
    line.kind === "tiles" && line.top < bottom && line.top + line.height > top
      ? line.tiles.filter((t) => t.x < right && t.x + g.tileWidth > left).map((t) => t.tile.id)
      : [],
  );
}
