import { about } from "./about.ts";
import { calls } from "./calls.ts";
import { entities } from "./entities.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Section } from "./proof.ts";
import { roles } from "./roles.ts";
import { routes } from "./routes.ts";
import { states } from "./states.ts";
import { validation } from "./validation.ts";

/** What the specification says about everything that is built, in its order. */
export const SECTIONS: readonly Section[] = [
  about,
  routes,
  entities,
  states,
  validation,
  roles,
  calls,
  errors,
  limits,
];

/** The table as docs/statements.gen.md has it. */
export const statementsAsMarkdown = (): string =>
  [
    "# What the specification says, and the tests that assert it",
    "",
    "Made by `npm run docs` from `platform/checks/statements/`. What is not built yet does not stand here.",
    ...SECTIONS.flatMap(({ number, title, statements }) => [
      "",
      `## ${number} ${title}`,
      "",
      "| | Statement | Proved by |",
      "|---|---|---|",
      ...statements.map(
        ([text, ...proofs], i) =>
          `| ${number}.${i + 1} | ${text} | ${proofs.map((p) => `\`${p.file}\`: ${p.title}`).join("<br>")} |`,
      ),
    ]),
    "",
  ].join("\n");
