import type { Page } from "playwright-core";

/**
 * Names of rooms, amounts and days (`data-whole`) that are cut on the page as it stands: shortened by themselves, clipped
 * by a box around them that does not scroll, or wider than their cell, so that a neighbour or a sticky column covers them.
 */
export const cutOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    const why = (el: HTMLElement): string | undefined => {
      const range = document.createRange();
      range.selectNodeContents(el);
      const { left, right } = range.getBoundingClientRect();
      if (right - left < 1) return undefined;
      const cell = el.closest("td, th");
      for (let box: Element | null = el; box && box !== document.body; box = box.parentElement) {
        const { overflowX, display, position } = getComputedStyle(box);
        if (overflowX === "auto" || overflowX === "scroll") return undefined;
        if (box !== cell && (display === "inline" || !hides(overflowX))) continue;
        const edge = box.getBoundingClientRect();
        // what is only there for a reader's ears is meant to be clipped
        if (edge.width <= 1) return undefined;
        if (left < edge.left - 1 || right > edge.right + 1)
          return box === cell ? "beyond its cell" : "clipped";
        if (position === "fixed") return undefined;
      }
      return undefined;
    };
    return [...document.querySelectorAll<HTMLElement>("[data-whole]")].flatMap((el) => {
      const reason = el.checkVisibility({ visibilityProperty: true }) && why(el);
      return reason ? [`${el.textContent} ${reason}`] : [];
    });
  });
