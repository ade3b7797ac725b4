import { posix } from "node:path";
import { parseSync } from "vite";

/** `to`: a path from the root for a file of the source, else the package as written. */
export type Import = { to: string; line: number; lazy: boolean };
export type Source = {
  path: string;
  imports: Import[];
  /** The text with comments blanked out, lines kept. */
  code: string;
};

const target = (from: string, specifier: string) =>
  specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;

/** Reads the imports of a file, also those of types and those that load later. */
export function sourceOf(path: string, text: string): Source {
  const { module, comments, errors } = parseSync(path, text);
  if (errors.length) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  let code = text;
  for (const { start, end } of comments)
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, " ") + code.slice(end);

  const line = (at: number) => code.slice(0, at).split("\n").length;
  const found = (specifier: string, at: number, lazy: boolean): Import => ({
    to: target(path, specifier),
    line: line(at),
    lazy,
  });
  const imports = module.staticImports.map((i) => found(i.moduleRequest.value, i.start, false));
  for (const { start, entries } of module.staticExports) {
    const from = entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    if (from) imports.push(found(from.value, start, false));
  }
  // Both import("./a.ts") and the type import("./a.ts").A, which the parser does not list.
  for (const m of code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g))
    imports.push(found(m[1]!, m.index, true));
  return { path, imports, code };
}
