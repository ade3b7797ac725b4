import type { Page } from "playwright-core";

/** Waits until nothing that one sees is still on its way. */
export const arrived = (page: Page) =>
  page.waitForFunction(
    () => ![...document.querySelectorAll("[aria-busy=true]")].some((el) => el.checkVisibility()),
  );

/**
 * Names of rooms, amounts and days (`data-whole`) that are cut on the page as it stands: shortened by themselves, clipped
 * by a box around them that does not scroll, or wider than their cell, so that a neighbour or a sticky column covers them.
 */
export async function cutOn(page: Page): Promise<string[]> {
  // what is still on its way cannot be cut yet
  await arrived(page);
  return page.evaluate(() => {
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    const why = (el: HTMLElement): string | undefined => {
      const range = document.createRange();
      range.selectNodeContents(el);
      const { left, right } = range.getBoundingClientRect();
      if (right - left < 1) return undefined;
      const cell = el.closest("td, th");
      // half below a column that stays in view; what lies below it altogether is a scroll away
      for (const stays of cell?.parentElement?.querySelectorAll(":scope > .ant-table-cell-fix") ?? []) {
        const over = stays.getBoundingClientRect();
        if (stays !== cell && left < over.left - 1 && right > over.left + 1) return "below a sticky column";
      }
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
}

/** What one clicks or types into that lies outside a box which neither shows nor scrolls to it, however low the window. */
export const beyondReach = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const why = (el: HTMLElement): string | undefined => {
      const { top, bottom, height } = el.getBoundingClientRect();
      if (!height) return undefined;
      for (let box = el.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowY, position } = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        if (overflowY === "auto" || overflowY === "scroll") return undefined;
        // a box that is folded away shows none of it
        if (overflowY !== "visible" && edge.height > 40 && (top >= edge.bottom || bottom <= edge.top))
          return `below .${box.className}`;
        if (position === "fixed") return undefined;
      }
      return undefined;
    };
    return [...document.querySelectorAll<HTMLElement>("a[href], button, input, [role=tab]")].flatMap((el) => {
      const reason = el.checkVisibility({ visibilityProperty: true }) && why(el);
      return reason ? [`${(el.innerText || el.ariaLabel) ?? el.tagName} ${reason}`] : [];
    });
  });
