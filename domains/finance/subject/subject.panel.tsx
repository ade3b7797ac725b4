import type { Reply } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { subjectOptions } from "./subject.contract.ts";
import type { SubjectKind } from "./subject.rules.ts";

type Option = Reply<typeof subjectOptions>[number];
const option = (subject: Option) => ({ value: subject.id, label: subject.name, note: subject.taxWord });

/** Fee subjects for a filter. */
export const SUBJECTS: Source = { call: subjectOptions, option: option as never };

/** Fee subjects of some kinds, for a form. */
export const subjectsOf = (...kinds: SubjectKind[]): Source => ({
  call: subjectOptions,
  query: { kinds: kinds.join(",") },
  option: option as never,
});
