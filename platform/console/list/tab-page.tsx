import { createContext, useContext, useState, type ComponentProps, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Segments } from "../parts/segments.tsx";
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

/** Two or more looks of the same records, side by side. */
export const Looks = (props: Omit<ComponentProps<typeof Segments<string>>, "className">) => (
  <Segments {...props} className="seg seg--sm" />
);
