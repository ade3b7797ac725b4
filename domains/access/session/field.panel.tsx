import { useId, type InputHTMLAttributes, type ReactNode } from "react";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
  label: string;
  icon?: IconName;
  error: string | undefined;
  onChange: (value: string) => void;
  /** Inside the box, at its end. */
  tool?: ReactNode;
  /** Beside the box. */
  beside?: ReactNode;
};

/** A labelled field of the light pages, which do without the kit. */
export function LightField({ label, icon, error, onChange, tool, beside, ...input }: Props) {
  const id = useId();
  const box = (
    <div className="lf__in row">
      {icon && <Icon name={icon} />}
      <input
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-msg` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {tool}
    </div>
  );
  return (
    <div className={`lf ${error ? "lf--bad" : ""}`}>
      <label htmlFor={id}>{label}</label>
      {beside ? (
        <div className="lf__two grid gap-6">
          {box}
          {beside}
        </div>
      ) : (
        box
      )}
      {error && (
        <p className="lf__msg fs-12 bad" id={`${id}-msg`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
