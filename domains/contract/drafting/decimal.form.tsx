import { Input } from "antd";
import type { ReactNode } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";

/** A decimal that stays the text it was typed as, so that nothing is lost to binary fractions. */
export const DecimalInput = ({
  value,
  onChange,
  onBlur,
  unit,
  width,
  ...rest
}: InputProps<string> & { unit?: ReactNode; width?: number }) => (
  <Input
    {...rest}
    className="num-in"
    inputMode="decimal"
    autoComplete="off"
    value={value ?? ""}
    suffix={unit && <span className="unit">{unit}</span>}
    onChange={(event) => onChange(event.target.value.replaceAll("。", ".").trim())}
    {...(onBlur && { onBlur })}
    {...(width && { style: { width } })}
  />
);
