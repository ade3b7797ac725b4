import { spawn } from "node:child_process";
import path from "node:path";
import { createServer } from "vite";
import { readSettings, ROOT } from "./settings.ts";

/**
 * For developing: the server starts again when one of its files changes, and pages change in the browser while they
 * are edited. The browser talks to the page server, which passes the calls on.
 */
const { HOST, PORT } = readSettings(process.env);
const pages = await createServer({
  root: ROOT,
  server: {
    port: 5173,
    // every page lies below /sams/, so whatever does not is a call; the manual is a file of the build
    proxy: { "^/((?!sams(/|$|\\?)).+|sams/manual\\.pdf)": { target: `http://${HOST}:${PORT}`, xfwd: true } },
  },
});
await pages.listen();
pages.printUrls();

const args = ["--watch", "--watch-preserve-output", path.join(ROOT, "server.ts")];
// one process, whose files are watched
const server = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, WORKERS: "0" } });
server.on("exit", (code) => process.exit(code ?? 0));
let ending = false;
const end = async () => {
  if (ending) return;
  ending = true;
  server.kill("SIGTERM");
  await pages.close();
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const)
  process.on(signal, () => void end());
