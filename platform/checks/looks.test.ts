import { test } from "vitest";
import { LOOKS } from "../console/looks.ts";
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
    "These components of antd have no looks yet: name their parts in platform/console/looks.ts",
  );
});
