import { useState } from "react";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Line } from "./lines.panel.tsx";

/** A new price that can be typed over; what is typed counts when the field is left or Enter is pressed. */
export function PriceCell({
  line,
  which,
  onPrice,
}: {
  line: Line;
  which: "newList" | "newLowest";
  onPrice: (fen: number | undefined) => void;
}) {
  const fen = line[which];
  const [typed, setTyped] = useState<number>();
  const [open, setOpen] = useState(false);
  const title = which === "newList" ? "新标价" : "新底价";
  if (fen === null || fen === undefined) return NONE;
  if (line.skipped) return <Money fen={fen} />;
  const finish = () => {
    setOpen(false);
    if (typed !== undefined && !Number.isNaN(typed) && typed !== fen) onPrice(typed);
    setTyped(undefined);
  };
  if (open)
    return (
      <span
        className="pc__price"
        onKeyDown={(event) => {
          if (event.key === "Enter") finish();
          if (event.key === "Escape") {
            event.preventDefault();
            setOpen(false);
          }
        }}
      >
        <Typed label={`${line.roomName} ${title}`} value={typed ?? fen} onChange={setTyped} onBlur={finish} />
      </span>
    );
  return (
    <span className="pc__price">
      <button type="button" className="linkish" onClick={() => setOpen(true)}>
        <span className="sr">
          修改 {line.roomName} {title}{" "}
        </span>
        <Money fen={fen} strong />
      </button>
      {line.edited && which === "newList" && (
        <IconButton
          icon="refresh"
          size={14}
          small
          label={`恢复 ${line.roomName} 按规则计算`}
          run={() => onPrice(undefined)}
        />
      )}
    </span>
  );
}

const Typed = ({
  label,
  value,
  onChange,
  onBlur,
}: {
  label: string;
  value: number;
  onChange: (fen: number | undefined) => void;
  onBlur: () => void;
}) => (
  <label ref={(box) => box?.querySelector("input")?.focus()}>
    <span className="sr">{label}</span>
    <MoneyInput value={value} onChange={onChange} onBlur={onBlur} />
  </label>
);
