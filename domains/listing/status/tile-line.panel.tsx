import { memo } from "react";
import type { Geometry, Line } from "./arrange.rules.ts";
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
  onFloor: (ids: number[]) => void;
};

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
            className="rb__floor"
            tabIndex={-1}
            title={`选择 ${line.label}`}
            onClick={(event) => {
              event.stopPropagation();
              onFloor(line.tiles.map((t) => t.tile.id));
            }}
          >
            {line.label}
          </button>
        )}
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
