import { Input } from "antd";
import { useState } from "react";
import { showFailure } from "../calls/failure.ts";
import { Icon } from "../parts/icons.tsx";
import { NONE } from "../parts/kinds.tsx";
import "./inputs.css";

type Props = {
  value: string;
  /** What the cell is called, for who does not see the head of its column. */
  label: string;
  max: number;
  /** Sends the new text; what it throws is shown, and the typed text stays. */
  save: (next: string) => Promise<unknown>;
};

/** A text that is changed where it stands: a click opens it, Enter or leaving saves it, Escape takes it back. */
export function InlineText({ value, label, max, save }: Props) {
  const [typed, setTyped] = useState<string>();
  const [busy, setBusy] = useState(false);
  /** Closed by a key: the keyboard goes on at the text. */
  const [byKey, setByKey] = useState(false);
  if (typed === undefined)
    return (
      <button
        type="button"
        className="inline"
        autoFocus={byKey}
        aria-label={`修改${label} ${value}`}
        onClick={() => setTyped(value)}
      >
        <span className="cut">{value || NONE}</span>
        <Icon name="edit" size={12} />
      </button>
    );
  const close = (key: boolean) => {
    setTyped(undefined);
    setByKey(key);
  };
  const done = async (key: boolean) => {
    if (busy) return;
    if (typed.trim() === value) return close(key);
    setBusy(true);
    try {
      await save(typed.trim());
      close(key);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Input
      size="small"
      autoFocus
      autoComplete="off"
      aria-label={label}
      value={typed}
      maxLength={max}
      readOnly={busy}
      onChange={(event) => setTyped(event.target.value)}
      onPressEnter={() => void done(true)}
      onBlur={() => void done(false)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close(true);
      }}
    />
  );
}
