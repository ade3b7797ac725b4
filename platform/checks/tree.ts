import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What is fetched, built or written at run time, and so no part of the source. */
const OUTSIDE = /^(node_modules|dist|data|test-results|\.git)$|\/node_modules$/;

/** Every file of the source, as paths from the root with forward slashes. */
export function filesOf(root = ROOT, folder = ""): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (OUTSIDE.test(path)) return [];
    if (entry.isDirectory()) return filesOf(root, `${path}/`);
    return entry.isFile() && !path.endsWith(".log") ? [path] : [];
  });
}

export const isCode = (path: string): boolean => /\.(tsx?|mts|mjs)$/.test(path);
export const isGenerated = (path: string): boolean => /\.gen\.[a-z]+$/.test(path);
export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

export const textOf = (path: string, root = ROOT): string => readFileSync(root + path, "utf8");

/** Fails with a sentence and one line for each offender, so that whoever reads it knows what to do. */
export function expectNone(offenders: readonly string[], sentence: string): void {
  if (offenders.length) expect.fail(`${sentence} (${offenders.length})\n  ${offenders.join("\n  ")}`);
}
