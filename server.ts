import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openHouse } from "./platform/server/house.ts";
import { readSettings } from "./platform/server/settings.ts";

const root = fileURLToPath(new URL("./", import.meta.url));

// Whoever started the server may stop listening to what it says; those it serves must not notice.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  const settings = readSettings(process.env);
  const built = path.join(root, "dist/console");
  const house = await openHouse(settings, { console: existsSync(built) ? built : undefined });
  let ending: Promise<void> | undefined;
  const end = () => (ending ??= house.close().then(() => process.exit(0)));
  process.on("SIGINT", () => void end());
  process.on("SIGTERM", () => void end());
  process.on("disconnect", () => void end());
  if (settings.MODE === "demo") await (await import("./demo/first.ts")).makeDemo(house);
  await house.listen();
  const { PUBLIC_URL, HOST, PORT } = settings;
  process.stdout.write(`\n${PUBLIC_URL ?? `http://${HOST}:${PORT}`}/sams/\n`);
  if (settings.MODE === "demo") process.stdout.write((await import("./demo/first.ts")).accounts());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
