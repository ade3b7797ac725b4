import postcss from "postcss";
import { expect, test } from "vitest";
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

test("what is chosen from a list is cleared by a button with a Chinese name", () => {
  const files = filesOf().filter((path) => path.endsWith(".tsx") && /^(platform|domains)\//.test(path));
  const offenders = files.filter((path) =>
    [...textOf(path).matchAll(/<(\w+)\b(?:(?!<\w)[^])*?\ballowClear\b(?!=\{[^}]*(CLEARS|false)\})/g)].some(
      ([, element]) => element === "Select",
    ),
  );
  expectNone(offenders, "Select takes allowClear={CLEARS} of platform/console/inputs/clears.tsx");
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

test("today is the server's day, and what writes times and numbers is made once", () => {
  const files = filesOf().filter(
    (path) => isCode(path) && !isTest(path) && /^(platform|domains)\//.test(path),
  );
  const clocks = files.filter(
    (path) => path.endsWith(".tsx") && /dayInZone\((new Date\(\)|now)/.test(textOf(path)),
  );
  expectNone(
    clocks,
    "A workstation's clock may be wrong: take useToday() or today() of platform/console/session/operator.ts",
  );
  const makers = new Set([
    "platform/kernel/day.ts",
    "platform/console/parts/kinds.tsx",
    "platform/server/process/settings.ts",
  ]);
  const offenders = files.filter(
    (path) => !makers.has(path) && /new Intl\.|\.toLocale\w*String\([^)]*\{/.test(textOf(path)),
  );
  expectNone(
    offenders,
    "Making a formatter takes far longer than its use: timeInZone, dayInZone and the kinds have theirs",
  );
});

const TOKENS = "platform/console/parts/tokens.css";
const sheets = filesOf()
  .filter((path) => path.endsWith(".css"))
  .map((path) => ({ path, sheet: postcss.parse(textOf(path)) }));
const ofPages = sheets.filter(({ path }) => path !== TOKENS);
const PIXELS = /(?<![\w.])\d*\.?\d+px/;

/** Every declaration of the sheets but the tokens', with the comment that stands right before it. */
const declared = ofPages.flatMap(({ path, sheet }) => {
  const all: { path: string; prop: string; value: string; why: boolean; at: string }[] = [];
  sheet.walkDecls((one) => {
    const at = `${path}:${one.source?.start?.line}: ${one.prop}: ${one.value}`;
    all.push({ path, prop: one.prop, value: one.value, why: one.prev()?.type === "comment", at });
  });
  return all;
});

test("distances, letters and corners come from the tokens; where one cannot, a comment before it says why", () => {
  const TAKEN = /^(padding|margin|(row-|column-)?gap|font-size|border-radius)/;
  const loose = declared.filter((one) => TAKEN.test(one.prop) && PIXELS.test(one.value));
  expectNone(
    loose.filter((one) => !one.why).map((one) => one.at),
    `A length of its own: take one of ${TOKENS}, or say before it why it must be another`,
  );
  expect(loose.length, "lengths that no token names").toBeLessThanOrEqual(5);
});

test("colours are named in the tokens and nowhere else", () => {
  const COLOUR =
    /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|oklch|lab)\(|(?<![\w-])(white|black|gr[ae]y|red|green|blue)(?![\w-])/i;
  const loose = declared.filter((one) => COLOUR.test(one.value.replace(/url\([^)]*\)/g, "")));
  expectNone(
    loose.map((one) => one.at),
    `A colour that dark and brands do not know: name it in ${TOKENS}`,
  );
});

test("what a sheet takes from a variable is laid somewhere", () => {
  const code = filesOf().filter((path) => isCode(path) && !isTest(path));
  const laid = new Set(
    [...sheets.map(({ path }) => path), ...code].flatMap(
      (path) => textOf(path).match(/(?<!var\()--[a-z][\w-]*(?=["'`]?[\]:,])/g) ?? [],
    ),
  );
  const lost = declared.filter((one) =>
    [...one.value.matchAll(/var\((--[\w-]+)\)/g)].some(([, name]) => !laid.has(name!)),
  );
  expectNone(
    lost.map((one) => one.at),
    "Nothing lays this variable, so the declaration says nothing",
  );
});

test("a class is laid out in one sheet: pages share a document, and what was opened before stays", () => {
  const homes = new Map<string, Set<string>>();
  // the light pages' agreement changes the frame of light pages for paper
  for (const { path, sheet } of ofPages.filter((one) => !one.path.startsWith("domains/service/h5/")))
    sheet.walkRules((rule) => {
      for (const one of rule.selectors)
        if (/^\.[a-z][\w-]*$/.test(one)) homes.set(one, (homes.get(one) ?? new Set()).add(path));
    });
  // the board is one thing in two sheets
  const several = [...homes].filter(([name, paths]) => paths.size > 1 && !/^\.(rb|tile)/.test(name));
  expectNone(
    several.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`),
    "Two sheets speak of the same class: name one after its page",
  );
});

test("a class is used where its sheet is loaded: in its own domain, or anywhere when it is the console's", () => {
  const floorOf = (path: string) => path.split("/").slice(0, 2).join("/");
  const homes = new Map<string, Set<string>>();
  for (const { path, sheet } of sheets)
    sheet.walkRules((rule) => {
      for (const selector of rule.selectors)
        for (const [name] of selector.matchAll(/(?<=^\.)[a-z][\w-]*/g))
          homes.set(name, (homes.get(name) ?? new Set()).add(floorOf(path)));
    });
  const offenders = filesOf()
    .filter((path) => path.endsWith(".tsx") && /^domains\//.test(path))
    .flatMap((path) =>
      [...textOf(path).matchAll(/className=(?:("[^"]*")|\{([^}]*)\})/g)]
        .flatMap(
          ([, plain, worked]) =>
            plain ?? worked!.replace(/[!=]== "\w*"/g, "").match(/"[^"]*"|`[^`$]*/g) ?? [],
        )
        .flatMap((text) => text.match(/[a-z][\w-]*/g) ?? [])
        .filter((name) => {
          const of = homes.get(name);
          return of && !of.has("platform/console") && !of.has(floorOf(path));
        })
        .map((name) => `${path}: ${name} of ${[...homes.get(name)!].join(", ")}`),
    );
  expectNone(
    offenders,
    "Nothing loads these classes' sheets here: take the layout's, or one of your own domain",
  );
});

test("a page is made of the layout's classes; one with a sheet of its own says first why", () => {
  const mute = ofPages.filter(
    ({ path, sheet }) => path.startsWith("domains/") && sheet.first?.type !== "comment",
  );
  expectNone(
    mute.map(({ path }) => path),
    "These sheets do not say in their first line what needs rules of its own; platform/console/parts/layout.css has the usual ones",
  );
  expect(ofPages.length, "style sheets").toBeLessThanOrEqual(47);
});
