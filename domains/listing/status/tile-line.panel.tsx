import { memo } from "react";
import type { Geometry, Line, Placed } from "./arrange.rules.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Tile } from "./board.rules.ts";
import { tileHtml, type Density } from "./tile.rules.ts";

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
