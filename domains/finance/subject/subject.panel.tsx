import type { Source } from "../../../platform/kernel/filter.ts";
import { SUBJECTS } from "./subject.contract.ts";
import type { SubjectKind } from "./subject.rules.ts";

/** Fee subjects of some kinds, for a form. */
export const subjectsOf = (...kinds: SubjectKind[]): Source => ({
  ...SUBJECTS,
  query: { kinds: kinds.join(",") },
});
