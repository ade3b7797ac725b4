import { test } from "vitest";
import { LOOKS } from "../console/parts/antd-styles.ts";
import { expectNone, filesOf, isCode, isTest, textOf } from "./tree.ts";

/** Names that bring no looks of their own. */
const PLAIN = new Set(["theme"]);

test("every component of the library that the console uses has its looks in the style sheet", () => {
  const files = filesOf().filter(
    (path) => isCode(path) && !isTest(path) && /^(platform|domains)\//.test(path),
  );
  const offenders = files.flatMap((path) =>
    [...textOf(path).matchAll(/import \{([^}]*)\} from "antd";/g)]
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().replace(/ as .*/, "")))
      .filter((name) => name && !name.startsWith("type ") && !PLAIN.has(name) && !LOOKS[name])
      .map((name) => `${path}: ${name}`),
  );
  expectNone(
    offenders,
    "These components of antd have no looks yet: name their parts in platform/console/parts/antd-styles.ts",
  );
});

/** Texts between a start and the end of its element. */
const partsOf = (text: string, start: RegExp, end: string): string[] =>
  [...text.matchAll(start)].map(({ index }) => text.slice(index, text.indexOf(end, index)));

test("in the foot of a drawer or dialog the main button stands last, at the right", () => {
  const files = filesOf().filter((path) => path.endsWith(".tsx") && /^(platform|domains)\//.test(path));
  const offenders = files.flatMap((path) => {
    const text = textOf(path);
    const feet = [
      ...partsOf(text, /<Foot\b/g, "</Foot>"),
      ...partsOf(text, /footer(=\{| = \()\s*<>/g, "</>"),
    ];
    // of two main buttons, one for each step, only one is there at a time
    return feet.filter((foot) => /look="main"[^]*<Button(?![^>]*look="main")/.test(foot)).map(() => path);
  });
  expectNone(offenders, "Something follows the main button: the way out comes first, the main act last");
});

test("boxes to tick and dots to choose are the kit's", () => {
  const files = filesOf().filter(
    (path) => path.endsWith(".tsx") && path !== "platform/console/inputs/tick.tsx",
  );
  const offenders = files.filter((path) => /type="(checkbox|radio)"/.test(textOf(path)));
  expectNone(offenders, "The browser's own box is drawn by Tick of platform/console/inputs/tick.tsx");
});

test("an effect that scrolls gives back nothing: newer browsers answer a promise, which is no clean-up", () => {
  const files = filesOf().filter((path) => path.endsWith(".tsx") && /^(platform|domains)\//.test(path));
  const offenders = files.filter((path) =>
    /=>\s*[\w.?!]+[^;{}]*\.scroll(IntoView|To|By)?\(/.test(textOf(path)),
  );
  expectNone(offenders, "Scroll in a block of its own: () => { …scrollIntoView(); }");
});
