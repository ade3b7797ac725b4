import { test } from "vitest";
import { expectNone, filesOf, isCode, isTest, textOf } from "../../../platform/checks/tree.ts";
import { placeOf } from "./changes.rules.ts";
import { KIND_WORDS } from "./kinds.rules.ts";

const texts = filesOf()
  .filter((path) => path.startsWith("domains/") && isCode(path) && !isTest(path))
  .map((path) => [path, textOf(path)] as const);

/** The kinds that a pattern finds, each with the file that names it, without those that are known. */
const unknown = (patterns: readonly RegExp[], known: (kind: string) => boolean): string[] =>
  texts.flatMap(([path, text]) =>
    patterns
      .flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[1]!))
      .filter((kind) => !known(kind))
      .map((kind) => `${kind} (${path})`),
  );

test("every kind of record that is written to the log has a name and its readers", () =>
  expectNone(
    unknown(
      [
        /\bkind: "(\w+)",\s*recordId/g,
        /\bentryOn\(\s*"(\w+)"/g,
        /\bkind: "\w+",\s*title: "[^"]+",\s*target: "(\w+)"/g,
        /\slog="(\w+)"/g,
        /<History kind="(\w+)"/g,
      ],
      (kind) => kind in KIND_WORDS,
    ),
    "Kinds without a line in kinds.rules.ts",
  ));

// an export is fetched where the message is read, a contract opens by who rents
test("a message about a record leads to a page", () =>
  expectNone(
    unknown(
      [/\bbizType: "(\w+)"/g],
      (kind) => kind === "download" || kind === "contract" || !!placeOf(kind, 1),
    ),
    "Kinds without a place in changes.rules.ts",
  ));
