import { expect, test } from "vitest";
import { testHouse } from "../../server/process/house.sample.ts";
import { schemaOf } from "./bodies.ts";

/** Files in the body of a call are told by their kind: the pipeline sees to it that a record takes each of them. */
const house = await testHouse();

type Json = {
  properties?: Record<string, Json>;
  type?: string;
  kind?: string;
  items?: Json;
  anyOf?: Json[];
  oneOf?: Json[];
};
/** How many they may be is no file. */
const NAMED = /^(?!min|max).*(file|picture|photo|image|voucher|scan|cover|attach)/i;
const inside = (schema: Json): Json[] => [
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.items ? [schema.items] : []),
];
const holdsIds = (schema: Json): boolean => schema.type === "integer" || inside(schema).some(holdsIds);

/** Names of fields that hold ids of files by their name, and not by their kind. */
function plain(schema: Json): string[] {
  if (schema.kind === "file") return [];
  return [
    ...inside(schema).flatMap(plain),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      NAMED.test(name) && field.kind !== "file" && holdsIds(field) ? [name] : plain(field),
    ),
  ];
}

test("every field of a body that holds files is of the kind file", () => {
  const bodies = house.served.map((s) => s.call).filter((c) => c.body && c.effect === "write");
  const wrong = bodies.flatMap((c) =>
    plain(schemaOf(c.body!) as Json).map((f) => `${c.method} ${c.path}: ${f}`),
  );
  expect(wrong).toEqual([]);
});
