import { Seg } from "../inputs/seg.tsx";
import { createContext, useContext, useState, type ComponentProps, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Underline, type TabItem } from "../parts/underline.tsx";

const RightOf = createContext<HTMLElement | null>(null);

/** A page of several lists: their tabs above, and the open one below over all the height. */
export function TabPage({
  label,
  items,
  on,
  onChange,
  children,
}: {
  label: string;
  items: readonly TabItem[];
  on: string;
  onChange: (key: string) => void;
  children: ReactNode;
}) {
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
export const Looks = (props: Omit<ComponentProps<typeof Seg>, "small">) => <Seg small {...props} />;
