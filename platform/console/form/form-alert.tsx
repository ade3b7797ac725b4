import { useEffect, useRef } from "react";
import { Icon } from "../parts/icons.tsx";

/** Why nothing was saved, over a form. It comes into sight by itself: the button that was pressed may be far below. */
export function FormAlert({ text, reload }: { text: string | undefined; reload?: (() => void) | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  // browsers have begun to answer a promise, which would be no clean-up
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  if (!text) return null;
  return (
    <div className="form__alert" role="alert" ref={box}>
      <Icon name="warn" />
      <span>{text}</span>
      {reload && (
        <button type="button" className="linkish" onClick={reload}>
          载入最新数据
        </button>
      )}
    </div>
  );
}
