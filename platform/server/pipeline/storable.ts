/** The database keeps neither NUL nor half a surrogate pair, in text and in JSON. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** A text as it can be kept: what cannot becomes U+FFFD. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/** Where in an input the first text stands that cannot be kept: "lines.0.name"; undefined when all can. */
export function unstorableIn(input: unknown): string | undefined {
  // no recursion: a body may be nested as deep as it is long
  const rest: [at: string, value: unknown][] = [["", input]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [at, value] = next;
    if (typeof value === "string" && !isStorable(value)) return at;
    if (value === null || typeof value !== "object") continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return at;
      if (typeof inner === "string" || typeof inner === "object")
        rest.push([at ? `${at}.${key}` : key, inner]);
    }
  }
  return undefined;
}
