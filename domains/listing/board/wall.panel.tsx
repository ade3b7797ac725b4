import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { paint } from "../../../platform/console/brand/theme.ts";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type Geometry, arrange } from "./arrange.rules.ts";
import type { Board, BoardState } from "./board-state.panel.tsx";
import { type Tile, flatOf, vacantDays } from "./board.rules.ts";
import { Canvas } from "./canvas.panel.tsx";
import { CHARACTER, CONDITIONS, FLAGS, OCCUPANCIES, flagsOf } from "../status/status.rules.ts";
import { type Density, keyOf, priceSteps, tintOf } from "./tile.rules.ts";

const WIDTH = 276;
const ABOUT_HIGH = 190;

/** The key facts of a tile beside the pointer, without opening it. */
export function HoverCard({ tile, at, day }: { tile: Tile; at: DOMRect; day: Day }) {
  const left = at.right + 8 + WIDTH > innerWidth ? Math.max(8, at.left - 8 - WIDTH) : at.right + 8;
  const top = Math.max(8, Math.min(at.top, innerHeight - ABOUT_HIGH));
  const flags = flagsOf(tile.flags);
  const empty = vacantDays(tile, day);
  const over = tile.until ? daysBetween(tile.until, day) : 0;
  const facts: [string, React.ReactNode][] = [
    ["户型", [tile.layout, `${tile.area}㎡`].filter(Boolean).join(" ")],
    ...(tile.partyName
      ? ([
          ["租客", tile.partyName],
          ["租期", `${tile.since ?? ""} ~ ${tile.until ?? ""}`],
          ["月租金", tile.rentFen === null ? "—" : yuan(tile.rentFen)],
        ] as [string, string][])
      : ([["标价", tile.listPriceFen === null ? "未定价" : yuan(tile.listPriceFen)]] as [string, string][])),
    ...(empty === null ? [] : ([["空置", `${empty} 天，自 ${tile.vacantSince}`]] as [string, string][])),
    ...(tile.occupancy === "holdingOver"
      ? ([
          [
            "超期",
            <span key="o" className="neg">
              {over} 天未退
            </span>,
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(tile.arrearsFen
      ? ([
          [
            "欠费",
            <span key="a" className="neg">
              {yuan(tile.arrearsFen)}
            </span>,
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(tile.condition === "rentable"
      ? []
      : ([
          ["状态", `${CONDITIONS[tile.condition][0]}${tile.blockedUntil ? `，至 ${tile.blockedUntil}` : ""}`],
        ] as [string, string][])),
    [
      "下一租约",
      tile.nextFrom ? (
        `${tile.nextFrom} 起${tile.nextKind === "lease" ? "已签" : "已订"}`
      ) : (
        <span key="n" className="dim">
          无
        </span>
      ),
    ],
  ];
  return createPortal(
    <div className="rb__hover" role="tooltip" style={{ left, top, width: WIDTH }}>
      <header>
        <i className={`rb__sw t-${tile.occupancy}`}>{CHARACTER[tile.occupancy]}</i>
        <b>{tile.name}</b>
        <span className="sub">{OCCUPANCIES[tile.occupancy][0]}</span>
        <span className="grow" />
        {flags.map((flag) => (
          <i key={flag} className={`rb__sw fl s-${FLAGS[flag][1]}`}>
            {CHARACTER[flag]}
          </i>
        ))}
      </header>
      <dl>
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>,
    document.body,
  );
}

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
