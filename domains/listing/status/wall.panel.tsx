import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import { paint } from "../../../platform/console/brand/theme.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { arrange, type Geometry } from "./arrange.rules.ts";
import type { Board } from "./board-data.panel.tsx";
import type { BoardState } from "./board-state.panel.tsx";
import { type Tile, flatOf } from "./board.rules.ts";
import { Canvas } from "./canvas.panel.tsx";
import { HoverCard } from "./hover.panel.tsx";
import type { Density } from "./tile.rules.ts";
import { keyOf, priceSteps, tintOf } from "./tint.rules.ts";

const SIZE: Record<Density, { width: number; narrow: number; height: number }> = {
  l: { width: 134, narrow: 134, height: 84 },
  m: { width: 93, narrow: 80, height: 52 },
  s: { width: 38, narrow: 38, height: 26 },
};
const LABEL = 40;
const GAP = 4;
/** A sheet of A4 across, in CSS pixels. */
const PAPER = 1000;
const NARROW = 1400;
const ON_PHONE = 4;

function geometryOf(width: number, density: Density, phone: boolean): Geometry {
  const size = SIZE[density];
  const tileWidth =
    phone && density !== "s"
      ? Math.floor((width - (ON_PHONE - 1) * GAP) / ON_PHONE)
      : innerWidth < NARROW
        ? size.narrow
        : size.width;
  return { width, tileWidth, tileHeight: size.height, gap: GAP, label: phone ? 0 : LABEL, unitGap: 12 };
}

type Props = {
  state: BoardState;
  board: Board;
  printing: boolean;
  onPrinted: () => void;
  box: RefObject<HTMLDivElement | null>;
};

/** Lays the tiles out for the width there is, colours them, and shows what a pointer rests on. */
export function Wall({ state, board, printing, onPrinted, box }: Props) {
  const { chosen, shown, hits } = state;
  const phone = usePhone();
  const [width, setWidth] = useState(0);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<{ tile: Tile; at: DOMRect }>();
  const outer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const el = outer.current!;
    const sized = new ResizeObserver(() => setWidth(el.clientWidth));
    sized.observe(el);
    return () => sized.disconnect();
  }, []);
  const [paper, setPaper] = useState(false);
  useEffect(() => {
    if (!printing) return;
    const done = () => {
      setPaper(false);
      paint();
      onPrinted();
    };
    addEventListener("afterprint", done, { once: true });
    const soon = requestAnimationFrame(() => {
      // every tile must stand before the browser takes its picture; paper is white
      flushSync(() => setPaper(true));
      document.documentElement.dataset["theme"] = "light";
      requestAnimationFrame(() => print());
    });
    return () => {
      cancelAnimationFrame(soon);
      removeEventListener("afterprint", done);
    };
  }, [printing, onPrinted]);

  const geometry = useMemo(
    () => geometryOf(paper ? PAPER : width, chosen.density, phone),
    [paper, width, chosen.density, phone],
  );
  const laid = useMemo(
    () => arrange(board, shown, { group: chosen.group, folded, geometry }),
    [board, shown, chosen.group, folded, geometry],
  );
  const steps = useMemo(
    () => (chosen.tint === "price" ? priceSteps(board.tiles) : []),
    [chosen.tint, board.tiles],
  );
  const tint = useCallback(
    (tile: Tile) => tintOf(tile, chosen.tint, board.day, steps),
    [chosen.tint, board.day, steps],
  );
  const moved = useMemo(() => new Set(state.moves?.moved.keys()), [state.moves]);
  const onFold = useCallback(
    (key: string) =>
      setFolded((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  const onHover = useCallback(
    (tile: Tile | undefined, at: DOMRect | undefined) => setHovered(tile && at ? { tile, at } : undefined),
    [],
  );
  const { open, openTheFlat } = state;
  const seesFlats = may("6.get");
  const onFlat = useCallback((id: number) => seesFlats && openTheFlat(id), [seesFlats, openTheFlat]);
  const flats = chosen.unit === "flat";
  const onOpen = useCallback(
    (id: number) => {
      const rooms = flats && seesFlats ? flatOf(board.tiles, id) : undefined;
      if (rooms) openTheFlat(rooms);
      else open(id);
    },
    [flats, seesFlats, board.tiles, open, openTheFlat],
  );
  const keys = keyOf(chosen.tint, steps);
  return (
    <>
      {keys.length > 0 && (
        <div className="rb__keys fs-12 sub">
          {keys.map((key) => (
            <span key={key.text}>
              <i className={`rb__sw fl s-${key.tone}`} />
              {key.text}
            </span>
          ))}
        </div>
      )}
      <div className="rb__outer fill" ref={outer}>
        {width > 0 && (
          <Canvas
            lines={laid.lines}
            height={laid.height}
            geometry={geometry}
            density={chosen.density}
            day={board.day}
            tintOf={tint}
            moved={moved}
            opened={state.openId}
            selected={state.selected}
            hits={hits.searching && !state.only ? hits.ids : undefined}
            flashed={state.live.flashed}
            folded={folded}
            onFold={onFold}
            onOpen={onOpen}
            onFlat={onFlat}
            onSelect={state.select}
            onHover={onHover}
            whole={paper}
            onReady={state.onReady}
            box={box}
          />
        )}
      </div>
      {hovered && !phone && state.openId !== hovered.tile.id && (
        <HoverCard tile={hovered.tile} at={hovered.at} day={board.day} />
      )}
    </>
  );
}
