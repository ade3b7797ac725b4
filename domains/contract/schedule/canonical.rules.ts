/**
 * JSON with sorted keys and nothing undefined: equal data give equal text, whatever order it was built in.
 * Numbers must be whole and exact (fen, days, ids), because a preview's hash rests on this text.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`not a whole number: ${value}`);
    return String(value === 0 ? 0 : value);
  }
  if (Array.isArray(value))
    return `[${value.map((v) => (v === undefined ? "null" : canonical(v))).join(",")}]`;
  if (typeof value === "object") {
    const proto: unknown = Object.getPrototypeOf(value);
    if (proto !== Object.prototype && proto !== null) throw new TypeError("only plain objects");
    const parts: string[] = [];
    for (const [key, v] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      if (v !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(v)}`);
    return `{${parts.join(",")}}`;
  }
  throw new TypeError(`cannot be written as JSON: ${typeof value}`);
}
