import fs from "node:fs";
import path from "node:path";
import { everyServed } from "../server/pipeline/serve.ts";
import { ROOT, settingsAsMarkdown } from "../server/process/settings.ts";
import { callsAsMarkdown } from "./calls/table.ts";
import { statementsAsMarkdown } from "./statements/table.ts";

/** Writes the pages of docs/ that are made from the code. */
const pages = {
  settings: settingsAsMarkdown(),
  statements: statementsAsMarkdown(),
  calls: callsAsMarkdown((await everyServed()).map(({ call }) => call)),
};
fs.mkdirSync(path.join(ROOT, "docs"), { recursive: true });
for (const [name, text] of Object.entries(pages))
  fs.writeFileSync(path.join(ROOT, `docs/${name}.gen.md`), text);
