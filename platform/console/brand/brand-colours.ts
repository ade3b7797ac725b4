import type { Brand } from "../../kernel/texts/brand.ts";
import { contrast, ENOUGH, inkOn } from "../../kernel/texts/colour.ts";

/** Surfaces and words that a brand's links must be read on and shaded towards; as in tokens.css. */
const GROUNDS = { light: { ground: "#FFFFFF", ink: "#18202F" }, dark: { ground: "#1B2029", ink: "#E6E9EF" } };

const bytes = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** `part` of a, the rest of b. */
export const mixed = (a: string, b: string, part: number): string => {
  const [x, y] = [bytes(a), bytes(b)];
  return `#${x
    .map((n, i) =>
      Math.round(n * part + y[i]! * (1 - part))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
};

/** The brand's colour as words: shaded just so far that it can be read. */
export function linkOf(colour: string, dark: boolean): string {
  const { ground, ink } = GROUNDS[dark ? "dark" : "light"];
  // a little above the least, because links also stand on tinted rows
  for (let part = 1; part > 0; part -= 0.05) {
    const shade = mixed(colour, ink, part);
    if (contrast(shade, ground) >= ENOUGH + 0.7) return shade;
  }
  return ink;
}

/** Lays a brand's colours over the tokens. The product's own stand there already. */
export function dye(brand: Pick<Brand, "themeColor" | "mode">, own: boolean, dark: boolean): void {
  const { style, dataset } = document.documentElement;
  const lay = (name: string, value: string) =>
    own ? style.removeProperty(name) : style.setProperty(name, value);
  const { themeColor: colour } = brand;
  const towards = (other: string, part: number) => `color-mix(in oklab, ${colour} ${part}%, ${other})`;
  lay("--primary", colour);
  lay("--on-primary", inkOn(colour));
  lay("--primary-hover", towards("#fff", 84));
  lay("--primary-active", towards("#000", 90));
  lay("--primary-tint", towards("var(--bg)", 12));
  lay("--primary-line", towards("var(--bg)", 45));
  lay("--focus", towards("transparent", 28));
  lay("--link", linkOf(colour, dark));
  lay("--side-on", brand.mode === "light" ? "var(--primary-tint)" : towards("var(--side-bg)", 30));
  dataset["menu"] = brand.mode;
}
