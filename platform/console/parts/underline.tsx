import type { ReactNode } from "react";

export type TabItem = { key: string; title: string; count?: ReactNode };

type UnderlineProps = {
  items: readonly TabItem[];
  on: string;
  onChange: (key: string) => void;
  small?: boolean;
  label?: string;
};

/** Tabs with a line under the chosen one; arrow keys move between them. */
export function Underline({ items, on, onChange, small, label }: UnderlineProps) {
  const move = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = items.findIndex((i) => i.key === on);
    const next = items[(at + step + items.length) % items.length];
    if (!next) return;
    onChange(next.key);
    event.currentTarget.querySelectorAll<HTMLElement>("button")[items.indexOf(next)]?.focus();
  };
  return (
    <div className={`utabs ${small ? "utabs--sm" : ""}`} role="tablist" aria-label={label} onKeyDown={move}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          aria-selected={item.key === on}
          tabIndex={item.key === on ? 0 : -1}
          className={item.key === on ? "on" : ""}
          onClick={() => onChange(item.key)}
        >
          {item.title}
          {item.count !== undefined && (
            <i>{typeof item.count === "number" ? item.count.toLocaleString("en-US") : item.count}</i>
          )}
        </button>
      ))}
    </div>
  );
}
