import { expect, test } from "vitest";
import type { z } from "zod";
import type { Call } from "../../kernel/call.ts";
import type { FieldMeta } from "../../kernel/field.ts";
import { eachField, secrecyOfName, secretsOf } from "../../kernel/fields/secrecy.ts";
import { everyServed } from "../../server/pipeline/serve.ts";

/**
 * What must not be written down is said by the kind of the field, so that log, list and export mask it by themselves. A field
 * whose name or label says certificate, card, key or code and whose kind does not is a fault.
 */
const calls = (await everyServed()).map((s) => s.call);
const name = (c: Call) => `${c.method} ${c.path}`;
const metaOf = (at: z.ZodType) => at.meta() as Partial<FieldMeta> | undefined;
const isText = (at: z.ZodType) => at.def.type === "string";

/** Every text in a schema that goes by a secret's name or label, or lies in a public door by a name that opens it. */
function suspects(c: Call, schema: z.ZodType | undefined) {
  const found: { where: string; at: z.ZodType; wants: string }[] = [];
  eachField(schema, (field, at) => {
    if (!isText(at)) return;
    const opens = c.needs === "public" && c.effect === "write" && /^(code|ticket|state)$/.test(field);
    const wants = opens ? "key" : (secrecyOfName(field) ?? secrecyOfName(metaOf(at)?.title ?? ""));
    if (wants && wants !== "phone") found.push({ where: `${name(c)} ${field}`, at, wants });
  });
  return found;
}

test("no call takes a certificate, a card, a key or a code as a plain field", () => {
  const wrong = calls.flatMap((c) =>
    (["params", "query", "body"] as const).flatMap((part) =>
      suspects(c, c[part])
        .filter(({ where, wants }) => secretsOf(c[part]).get(where.split(" ").at(-1)!) !== wants)
        .map(({ where, wants }) => `${where}: ${wants}`),
    ),
  );
  expect(wrong).toEqual([]);
});

/** The company's own account, whole to who may edit it. */
const OWN = ["bankAccountNo"];

test("what a reply carries of a certificate or a card leaves masked, whatever is given", () => {
  const wrong = calls.flatMap((c) =>
    suspects(c, c.reply)
      .filter(({ where, wants }) => wants !== "key" && !OWN.includes(where.split(" ").at(-1)!))
      .filter(({ at }) => !metaOf(at)?.whole && String(at.parse("6222020200011234567")).includes("020200011"))
      .map(({ where }) => where),
  );
  expect(wrong).toEqual([]);
});

test("whole numbers are answered only by a look that needs an authority code, or runs the platform, and is written into the log", () => {
  const looks = calls.filter((c) => {
    let whole = false;
    eachField(c.reply, (_, at) => (whole ||= !!metaOf(at)?.whole));
    return whole;
  });
  expect(looks.map(name).sort()).toMatchInlineSnapshot(`
    [
      "POST /billing/api/v3/refund/:id/account",
      "POST /contract/api/v3/company/:id/verify/transfer",
      "POST /customer/api/v3/agency/:id/reveal",
      "POST /customer/api/v3/agent/:id/reveal",
      "POST /customer/api/v3/company/:id/reveal",
      "POST /customer/api/v3/merchant/:id/reveal",
      "POST /customer/api/v3/renter/:id/reveal",
    ]
  `);
  expect(
    looks.filter((c) => c.effect !== "write" || !/^(#\d+|super)$/.test(String(c.needs))).map(name),
  ).toEqual([]);
});
