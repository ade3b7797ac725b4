import type { ZodType } from "zod";
import type { Call } from "../../kernel/call.ts";

/** What is sent in the three places of a call, and which part of it is extreme. */
export type Asked = { what: string; params?: unknown; query?: unknown; body?: unknown };

/** What still reaches a call: the server's limits of a parameter, a request line and a body, less their punctuation. */
const LONGEST = { params: 200, query: 15_000, body: 1_900_000 };

const NUMBERS = [1, 2, 12, 100, 2026, 0, 0.5, -1];
const FAR = [0, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 1e300, 1e-9];
const TEXTS = [
  "张三",
  "1",
  "2026-11-20",
  "2026-11",
  "2026-11-20T01:00:00Z",
  "2026-11-20 10:00:00",
  "08:00",
  "13800001111",
  "021-55550000",
  "a1b2c3d4",
  "a@b.example",
  "https://a.example/x",
  "11010519491231002X",
  "6222021234567890123",
  "91310115MA1K4B5X3T",
  "#112233",
  "1,2",
  "5-5",
  "{}",
  "0".repeat(64),
  "a".repeat(43),
  "",
];
const STRANGE = [
  "",
  "'",
  "%\\",
  "0001-01-01",
  "9999-12-31",
  "2000-01-01",
  "2099-12-31",
  "0001-01",
  "9999-12",
  "2000-01",
  "2099-12",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "2000-01-02T00:00:00Z",
  "2099-12-31T00:00:00Z",
  "9999-12-31 23:59:59",
  "2147483648",
  "9".repeat(15),
  "9".repeat(400),
  "1e309",
  "1,".repeat(5000) + "1",
];
const LENGTHS = [
  20,
  30,
  50,
  60,
  100,
  200,
  300,
  400,
  500,
  1000,
  2000,
  4000,
  LONGEST.query,
  100_000,
  LONGEST.body,
];
const COUNTS = [400_000, 100_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5];

type Def = {
  type: string;
  shape?: Record<string, ZodType>;
  element?: ZodType;
  innerType?: ZodType;
  in?: ZodType;
  options?: readonly ZodType[];
  entries?: Record<string, string | number>;
  values?: readonly unknown[];
};
const defOf = (schema: ZodType) => schema.def as unknown as Def;
const takes = (schema: ZodType, value: unknown) => schema.safeParse(value).success;

/** A value that a schema takes, where one is found; for an object all of its fields, else only those it must have. */
export function plain(schema: ZodType): unknown {
  const { type, shape, element, innerType, in: input, options, entries, values } = defOf(schema);
  if (shape) {
    const all = Object.entries(shape).map(([key, field]) => [key, plain(field)] as const);
    const value = Object.fromEntries(all.filter(([, v]) => v !== undefined));
    if (takes(schema, value)) return value;
    const must = Object.fromEntries(all.filter(([key]) => !takes(shape[key]!, undefined)));
    return takes(schema, must) ? must : value;
  }
  if (element) return [plain(element)];
  if (innerType) return plain(innerType);
  if (input && defOf(input).type !== "transform") return plain(input);
  if (options) return options.map(plain).find((value) => takes(schema, value));
  if (entries) return Object.values(entries)[0];
  if (values) return values[0];
  return ([...(type === "string" ? TEXTS : NUMBERS), ...TEXTS, true, {}] as unknown[]).find((value) =>
    takes(schema, value),
  );
}

type Path = readonly string[];
type Leaf = { path: Path; values: unknown[]; list?: boolean };

/** Every place in a schema with the extremes that it takes there. Those that it refuses never reach a handler. */
function leavesOf(schema: ZodType, longest: number, path: Path = [], outer = schema): Leaf[] {
  const { type, shape, element, innerType, in: input, options } = defOf(schema);
  const leaf = (values: unknown[]): Leaf => ({
    path,
    values: values.filter((value) => String(value).length <= longest && takes(outer, value)),
  });
  if (shape) return Object.entries(shape).flatMap(([key, field]) => leavesOf(field, longest, [...path, key]));
  if (element) {
    const one = plain(element);
    const list = (length: number) =>
      Array.from({ length }, (_, i) => (typeof one === "number" ? i + 1 : one));
    const bytes = JSON.stringify(one ?? null).length + 6;
    const most = COUNTS.find((n) => n * bytes < longest && takes(outer, list(n)));
    return [
      { ...leaf([[], ...(most ? [list(most)] : [])]), list: true },
      ...leavesOf(element, longest, [...path, "0"]),
    ];
  }
  if (innerType) return leavesOf(innerType, longest, path, outer);
  if (input && defOf(input).type !== "transform") return leavesOf(input, longest, path, outer);
  if (options) return options.slice(0, 1).flatMap((option) => leavesOf(option, longest, path, outer));
  if (type === "number") {
    const { minValue, maxValue } = schema as ZodType & { minValue?: number; maxValue?: number };
    return [leaf([...new Set([minValue, maxValue, ...FAR])])];
  }
  if (type !== "string") return [];
  const letter = ["a", "长", "1"].find((c) => takes(outer, c.repeat(20))) ?? "a";
  const most = LENGTHS.findLast((n) => n <= longest && takes(outer, letter.repeat(Math.min(n, 4000))));
  const fill = letter.repeat(most ?? 1);
  return [leaf([...STRANGE, fill])];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const old = (value ?? {}) as Record<string, unknown>;
  const inner = replaced(old[key], rest, by);
  return Array.isArray(value) ? [inner] : { ...old, [key]: inner };
}

/** What hardly a field takes. */
const REFUSED = ["\0", "\ud800", "'", 400_000_000, 2 ** 53, "9999-99-99", null, {}];

type Part = "params" | "query" | "body";
type Placed = Leaf & { part: Part };

const partsOf = (call: Call) => (["params", "query", "body"] as const).filter((part) => call[part]);
const baseOf = (call: Call): Asked => ({
  what: "everything in its place",
  ...Object.fromEntries(partsOf(call).map((part) => [part, plain(call[part]!)])),
});
const placesOf = (call: Call): Placed[] =>
  partsOf(call).flatMap((part) => leavesOf(call[part]!, LONGEST[part]).map((leaf) => ({ part, ...leaf })));
const put = (asked: Asked, { part, path }: Placed, value: unknown): Asked => ({
  ...asked,
  [part]: replaced(asked[part], path, value),
});
const isId = ({ path }: Leaf) => /^(id|.*Ids?|\d+)$/.test(path.at(-1) ?? "");

/**
 * A call with everything in its place; then every field but ids at extremes that its schema takes, a round for each,
 * neighbours at different ones so that ranges are wide and reversed; then ids, then lists one by one, at theirs; then what is
 * wrong everywhere.
 */
export function extremesOf(call: Call): Asked[] {
  const base = baseOf(call);
  const places = placesOf(call);
  const rounds = (some: Placed[], what: string): Asked[] => {
    const most = Math.max(0, ...some.map((leaf) => leaf.values.length));
    return Array.from({ length: most }, (_, round) => ({
      ...some.reduce(
        (asked, leaf, i) => put(asked, leaf, leaf.values[(round + i) % leaf.values.length]),
        base,
      ),
      what: `${what} in round ${round}`,
    }));
  };
  const filled = places.filter((leaf) => leaf.values.length);
  const fields = filled.filter((leaf) => !leaf.list && !isId(leaf));
  const ids = filled.filter((leaf) => !leaf.list && isId(leaf));
  const lists = filled
    .filter((leaf) => leaf.list)
    .flatMap((leaf) =>
      leaf.values.map((value) => ({
        ...put(base, leaf, value),
        what: `${[leaf.part, ...leaf.path].join(".")} of ${(value as unknown[]).length}`,
      })),
    );
  const wrong = (places.length ? REFUSED : []).map((value) => ({
    ...places.reduce((asked, leaf) => put(asked, leaf, value), base),
    what: `everything ${JSON.stringify(value)}`,
  }));
  return [base, ...rounds(fields, "fields"), ...rounds(ids, "ids"), ...lists, ...wrong];
}

/** Reads a call's input with one wrong field at a time: what refines the whole must not stumble over it. */
export function readOneWrong(call: Call): void {
  const base = baseOf(call);
  for (const leaf of placesOf(call))
    for (const value of REFUSED) call[leaf.part]!.safeParse(put(base, leaf, value)[leaf.part]);
}
