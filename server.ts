import cluster from "node:cluster";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openEmbedded } from "./platform/server/database/database.ts";
import { openHouse } from "./platform/server/process/house.ts";
import { readSettings, type Settings } from "./platform/server/process/settings.ts";
import { reportToSupervisor, superviseWorkers, workersOf } from "./platform/server/process/workers.ts";

const root = fileURLToPath(new URL("./", import.meta.url));
const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

// A closed output pipe must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/** Ends the process once `work` is done, however often and by whichever signal it is told to. */
function endBy(work: () => Promise<void>, signals: readonly string[]): void {
  let ending: Promise<void> | undefined;
  for (const signal of signals)
    process.on(signal, () => void (ending ??= work().then(() => process.exit(0))));
}

async function announce({ PUBLIC_URL, HOST, MODE }: Settings, port: number): Promise<void> {
  process.stdout.write(`\n${PUBLIC_URL ?? `http://${HOST}:${port}`}/sams/\n`);
  if (MODE === "demo") process.stdout.write((await import("./demo/first.ts")).accounts());
}

/** The server itself: answers calls and works jobs. Returns its port. */
async function serve(settings: Settings, signals: readonly string[]): Promise<number> {
  const built = path.join(root, "dist/console");
  const first = process.env.FIRST_WORKER !== "false";
  const house = await openHouse(settings, { console: existsSync(built) ? built : undefined, first });
  endBy(house.close, signals);
  if (first && settings.MODE === "demo") await (await import("./demo/first.ts")).makeDemo(house);
  return Number(new URL(await house.listen()).port);
}

/** The process that keeps database and workers running. It answers nothing itself, so nothing can hold it up. */
async function supervise(settings: Settings, count: number): Promise<void> {
  const database = settings.DATABASE_URL ? undefined : await openEmbedded(settings, say);
  const workers = superviseWorkers({ count, file: path.join(root, "server.ts"), log: say });
  const end = async () => {
    await workers.stop();
    await database?.stop();
  };
  endBy(end, ["SIGINT", "SIGTERM", "disconnect"]);
  try {
    await announce(settings, await workers.listening);
  } catch {
    // the worker has said why
    await end();
    process.exit(1);
  }
}

try {
  const settings = readSettings(process.env);
  const count = workersOf(settings);
  if (cluster.isWorker) {
    reportToSupervisor();
    await serve(settings, ["SIGINT", "SIGTERM"]);
  } else if (count) await supervise(settings, count);
  else await announce(settings, await serve(settings, ["SIGINT", "SIGTERM", "disconnect"]));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
