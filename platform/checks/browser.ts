import { spawnSync } from "node:child_process";
import fs from "node:fs";

export const CHROMIUM = "/usr/bin/chromium";
const FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

/** Installs the browser of the stories and a Chinese font where that can be done, else answers the sentence that asks for them. */
export function ensureBrowser(): string | undefined {
  if (fs.existsSync(CHROMIUM) && fs.existsSync(FONT)) return undefined;
  const wanted = "apt-get update && apt-get install -y --no-install-recommends chromium fonts-noto-cjk";
  const able = process.getuid?.() === 0 && fs.existsSync("/usr/bin/apt-get");
  if (able) {
    process.stdout.write("Installing Chromium and a Chinese font …\n");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("/bin/sh", ["-c", `(${wanted}) >&2`], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
      maxBuffer: 2 ** 26,
    });
  }
  if (fs.existsSync(CHROMIUM)) return undefined;
  return `The stories need Chromium at ${CHROMIUM}; as root: ${wanted}`;
}
