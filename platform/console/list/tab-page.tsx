import { createContext, useContext, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Underline, type TabItem } from "../parts/underline.tsx";

const RightOf = createContext<HTMLElement | null>(null);

type TabPageProps = {
  label: string;
  items: readonly TabItem[];
  on: string;
  onChange: (key: string) => void;
  children: ReactNode;
};

/** A page of several lists: their tabs above, and the open one below over all the height. */
export function TabPage({ label, items, on, onChange, children }: TabPageProps) {
  const [right, setRight] = useState<HTMLElement | null>(null);
  return (
    <div className="tabpage stack full">
      <div className="tabpage__head">
        <Underline label={label} items={items} on={on} onChange={onChange} />
        <div ref={setRight} className="tabpage__right row" />
      </div>
      <RightOf value={right}>{children}</RightOf>
    </div>
  );
}

/** What belongs to the open list alone, at the right of the tabs. */
export function TabRight({ children }: { children: ReactNode }) {
  const right = useContext(RightOf);
  return right && createPortal(children, right);
}

type LooksProps = {
  label: string;
  items: readonly (readonly [key: string, title: string])[];
  on: string;
  onChange: (key: string) => void;
};

/** Two or more looks of the same records, side by side. */
export const Looks = ({ label, items, on, onChange }: LooksProps) => (
  <div className="seg seg--sm" role="radiogroup" aria-label={label}>
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
