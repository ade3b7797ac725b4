const channel = (hex: string, at: number): number => {
  const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return c <= 0.039_28 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance of #RRGGBB as WCAG 2 defines it. */
export const luminance = (hex: string): number =>
  0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

/** 1 (alike) to 21 (black on white). */
export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

export const WHITE = "#FFFFFF";
export const DARK = "#141414";
/** What words need on the colour behind them. */
export const ENOUGH = 4.5;

/** Colour of words on a colour: white or #141414, whichever contrasts more. */
export const inkOn = (hex: string): typeof WHITE | typeof DARK =>
  contrast(hex, WHITE) >= contrast(hex, DARK) ? WHITE : DARK;
