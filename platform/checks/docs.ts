import fs from "node:fs";
import path from "node:path";
import { ROOT, settingsAsMarkdown } from "../server/process/settings.ts";
import { statementsAsMarkdown } from "./statements/table.ts";

/** Writes the pages of docs/ that are made from the code. */
fs.mkdirSync(path.join(ROOT, "docs"), { recursive: true });
fs.writeFileSync(path.join(ROOT, "docs/settings.gen.md"), settingsAsMarkdown());
fs.writeFileSync(path.join(ROOT, "docs/statements.gen.md"), statementsAsMarkdown());
