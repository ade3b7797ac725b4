import { spawnSync } from "node:child_process";
import fs from "node:fs";

/** Chromium without windows, which needs a quarter less of the processor than the whole browser; else the whole one. */
const SHELL = "/usr/bin/chromium-headless-shell";
export const CHROMIUM = fs.existsSync(SHELL) ? SHELL : "/usr/bin/chromium";
/** The optimising compilers are left out: no page of a story lives long enough for them. */
export const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--js-flags=--no-maglev,--no-turbofan",
];
const FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";

/** Installs the browser of the stories and a Chinese font where that can be done, else answers the sentence that asks for them. */
export function ensureBrowser(): string | undefined {
  if (fs.existsSync(SHELL) && fs.existsSync(FONT)) return undefined;
  const wanted =
    "apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell fonts-noto-cjk";
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
  if (fs.existsSync(SHELL) || fs.existsSync(CHROMIUM)) return undefined;
  return `The stories need Chromium; as root: ${wanted}`;
}
