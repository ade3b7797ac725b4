import type { ReactNode } from "react";

type SegmentsProps<K extends string> = {
  items: readonly (readonly [key: K, title: ReactNode])[];
  on: K | undefined;
  onChange: (key: K) => void;
  label?: string;
  className?: string;
  id?: string | undefined;
  disabled?: boolean | undefined;
  onBlur?: (() => void) | undefined;
};

/** A few words side by side of which one holds. */
export const Segments = <K extends string>(p: SegmentsProps<K>) => (
  <div className={p.className ?? "seg"} role="radiogroup" aria-label={p.label} id={p.id}>
    {p.items.map(([key, title]) => (
      <button
        key={key}
        type="button"
        role="radio"
        aria-checked={key === p.on}
        className={key === p.on ? "on" : ""}
        disabled={p.disabled}
        onClick={() => p.onChange(key)}
        onBlur={p.onBlur}
      >
        {title}
      </button>
    ))}
  </div>
);
