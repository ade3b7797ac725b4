import type { ZodType } from "zod";
import type { Call } from "../../kernel/call.ts";
import { type IdOf, schemaOf, valueOf } from "./bodies.ts";

/** Whatever some field of some call takes: a wrong field is tried with each in turn. */
const PIECES: readonly unknown[] = [
  ...[
    "2026-12-20",
    "2026-12-28",
    "2026-12",
    "2026-11-10",
    "1990-03-07",
    "2026-12-28T01:00:00Z",
    "09:00",
    "21:00",
  ],
  ...[
    "13800138000",
    "+86",
    "a@example.cn",
    "https://example.cn",
    "abc123",
    "ABC123",
    "Passw0rd2026",
    "310115",
    "12345678",
    "6001",
  ],
  ...["91350100M000100Y43", "110101199003070011", "4539578763621486", "6222021234567890128"],
  ...[
    "0.01",
    "1/2",
    "1",
    "1.5",
    "10",
    0.5,
    10,
    12,
    20,
    0,
    100,
    "0".repeat(16),
    "0".repeat(32),
    "0".repeat(40),
    "0".repeat(64),
  ],
  ...["PUB_KEY_ID_0114232134912410000000000000", "一段足够长的正常文字"],
  ...[
    "2026-12-20 09:00:00",
    "1900000109",
    "wx0123456789abcdef",
    ["due", "principalFirst", "priority"],
    [-3],
    [],
    null,
    undefined,
  ],
];

type Path = readonly PropertyKey[];

/** A copy of a value in which something else stands at a path; nothing when it has no such place. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((one, i) => (i === key ? replaced(one, rest, by) : one));
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  // a list that stands in an address as one text is wrong as a whole
  return found ? { ...found, [key]: replaced(found[key as string], rest, by) } : by;
}

const issuesOf = (schema: ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];
const touch = (a: Path, b: Path) => a.every((key, i) => i >= b.length || key === b[i]);

/** A value that a schema takes; where no piece mends a field, the value as far as it could be mended. */
function shaped(schema: ZodType, idOf: IdOf): unknown {
  let value = valueOf(schemaOf(schema), "正常文字", idOf);
  for (let round = 0; round < 40; round++) {
    const issues = issuesOf(schema, value);
    const mended = issues.flatMap(({ path }) => {
      const id = idOf(String(path.findLast((key) => typeof key === "string")));
      const tries = [...(id === undefined ? [] : [String(id)]), ...PIECES].map((piece) =>
        replaced(value, path, piece),
      );
      return tries
        .filter((each) => !issuesOf(schema, each).some((left) => touch(left.path, path)))
        .slice(0, 1);
    });
    if (!mended.length) break;
    [value] = mended;
  }
  return value;
}

/** A body and a query that a call takes as far as its schemas can tell, with ids where they are known. */
export const requestOf = (call: Call, idOf: IdOf): { body: unknown; query: Record<string, string> } => ({
  body: call.body && shaped(call.body, idOf),
  query: Object.fromEntries(
    Object.entries((call.query ? shaped(call.query, idOf) : {}) as object)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [key, String(value)]),
  ),
});
