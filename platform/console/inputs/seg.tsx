type SegProps<K extends string> = {
  label: string;
  items: readonly (readonly [key: K, title: string])[];
  on: K;
  onChange: (key: K) => void;
  small?: boolean;
};

/** A few choices side by side that are no field of a form. */
export const Seg = <K extends string>({ label, items, on, onChange, small }: SegProps<K>) => (
  <div className={small ? "seg seg--sm" : "seg"} role="radiogroup" aria-label={label}>
    {items.map(([key, title]) => (
      <button
        key={key}
        type="button"
        role="radio"
        aria-checked={key === on}
        className={key === on ? "on" : ""}
        onClick={() => onChange(key)}
      >
        {title}
      </button>
    ))}
  </div>
);
