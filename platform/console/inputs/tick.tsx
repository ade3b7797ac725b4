import type { ReactNode } from "react";
import "./inputs.css";

/**
 * A box that is ticked, or with `one` (the name of its group) a dot of which one is chosen. Light: pages without the kit
 * have it too, and a list may have thousands.
 */
export const Tick = ({
  checked,
  half = false,
  one,
  label,
  why,
  disabled = why !== undefined,
  className = "",
  onChange,
  children,
}: {
  checked: boolean;
  /** Some of what is below is ticked. */
  half?: boolean;
  one?: string;
  /** Its name where no words stand beside it. */
  label?: string;
  /** Why it cannot be changed. */
  why?: string | undefined;
  disabled?: boolean | undefined;
  className?: string;
  onChange: (checked: boolean) => void;
  children?: ReactNode;
}) => (
  <label className={`tick ${disabled ? "tick--off" : ""} ${className}`.trim()} title={why}>
    <input
      type={one === undefined ? "checkbox" : "radio"}
      name={one}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      ref={(box) => {
        if (box) box.indeterminate = half;
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
    {children}
  </label>
);
