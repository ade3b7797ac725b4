import type { ZodType } from "zod";

const done = new WeakSet<object>();

/**
 * Makes the refinements of a schema, and of every schema inside it, run last: `refine` and `superRefine` of an object or
 * a list run only once all of its fields hold, so they may rely on what the fields promise (days are days, ranges are
 * short). By default zod runs them also over fields that failed a limit or a refinement of their own. Several
 * refinements of one schema still all run. `call()` applies this to all that it takes.
 */
export function refineLast<S extends ZodType>(schema: S): S {
  for (const each of schemasIn(schema, done)) {
    const checks: readonly unknown[] = each.def.checks ?? [];
    for (const { def } of refinementsOf(each))
      // what another check of the same schema found does not count, only what its fields have
      def.when ??= ({ issues }) => issues.every((issue) => checks.includes(issue.inst));
  }
  return schema;
}

/** Whether a refinement somewhere in a schema would run although a field failed. */
export const refinesEarly = (schema: ZodType): boolean =>
  schemasIn(schema, new WeakSet()).some((each) => refinementsOf(each).some(({ def }) => !def.when));

const refinementsOf = (schema: ZodType) =>
  (schema.def.checks ?? []).map((check) => check._zod).filter(({ def }) => def.check === "custom");

/**
 * The schema and those inside it that are not known yet. They stand in a definition as values, in lists (options of a
 * union) and in plain objects (fields).
 */
function schemasIn(value: unknown, known: WeakSet<object>): ZodType[] {
  if (value === null || typeof value !== "object" || known.has(value)) return [];
  if (isSchema(value)) {
    known.add(value);
    return [value, ...schemasIn({ ...value.def }, known)];
  }
  const holds = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return holds ? Object.values(value).flatMap((inner) => schemasIn(inner, known)) : [];
}

const isSchema = (value: object): value is ZodType => "_zod" in value && "def" in value;
