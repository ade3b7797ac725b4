import type { ReactNode } from "react";
import type { Tone, Words } from "../../kernel/field.ts";

export const NONE = <span className="dim">—</span>;

type StatusTagProps = { tone: Tone; dot?: boolean; children: ReactNode };

/** A word in one of the eight colours of the product. The dot marks a state; without it, a remark. */
export const StatusTag = ({ tone, dot = true, children }: StatusTagProps) => (
  <span className={`tag s-${tone} ${dot ? "tag--dot" : ""}`}>{children}</span>
);

/** Words without a colour among them name kinds, channels, sources: no states, and so without a dot. */
const isCategory = (words: Words): boolean => Object.values(words).every(([, tone]) => tone === "grey");

/** A code of a word table as its tag, a category in plain words; an unknown code is shown as it is. */
export function WordTag({ words, code, dot = true }: { words: Words; code: string; dot?: boolean }) {
  const [text, tone] = words[code] ?? [code, "grey" as const];
  if (dot && isCategory(words)) return text;
  return (
    <StatusTag tone={tone} dot={dot}>
      {text}
    </StatusTag>
  );
}
