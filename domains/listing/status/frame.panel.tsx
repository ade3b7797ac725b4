import { useMemo, useState, type CSSProperties, type RefObject } from "react";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import type { Geometry, Line } from "./arrange.rules.ts";

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
