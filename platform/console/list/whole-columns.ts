import { useLayoutEffect, type RefObject } from "react";

/**
 * Keeps columns of a table that scrolls sideways whole: the first one that does not fit begins below the edge (that of the
 * box, or of the column that stays in view), and those before it share the room. Half an amount reads like another amount.
 */
export function useWholeColumns(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const scroll = box.current?.querySelector<HTMLElement>(".ant-table-content");
    if (!scroll) return;
    const fit = () => {
      const heads = [...scroll.querySelectorAll<HTMLElement>("thead tr:first-child > th")];
      for (const head of heads) head.style.minWidth = "";
      if (scroll.scrollWidth <= scroll.clientWidth) return;
      const staying = (head: HTMLElement) => head.classList.contains("ant-table-cell-fix");
      const last = heads.at(-1)!;
      // measured from where the table begins, as if nobody had scrolled
      const edge = scroll.clientWidth - (staying(last) ? last.offsetWidth : 0);
      const moving = heads.filter((head) => !staying(head));
      const cut = moving.findIndex((head) => head.offsetLeft + head.offsetWidth > edge + 1);
      if (cut < 1) return;
      const room = edge - moving[cut]!.offsetLeft;
      if (room <= 0) return;
      const widths = moving.slice(0, cut).map((head) => head.getBoundingClientRect().width);
      for (const [i, width] of widths.entries()) moving[i]!.style.minWidth = `${width + room / cut}px`;
    };
    fit();
    const watch = new ResizeObserver(fit);
    watch.observe(scroll);
    return () => watch.disconnect();
  });
}
