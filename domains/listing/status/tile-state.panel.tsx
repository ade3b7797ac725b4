import { useRef } from "react";
import type { Line } from "./arrange.rules.ts";
import type { Tile } from "./board.rules.ts";

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
