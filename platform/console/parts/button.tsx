import { Tooltip } from "antd";
import { useState, type ReactNode } from "react";
import { showFailure } from "../calls/failure.ts";
import { Icon, type IconName } from "./icons.tsx";

type Props = {
  children?: ReactNode;
  icon?: IconName | undefined;
  /** `main` once per layer: the one thing to do here. */
  look?: "main" | "plain" | "text" | "danger" | undefined;
  size?: "sm" | "md" | "lg";
  /** Why it cannot be pressed now: greyed, still focusable, the sentence as its tooltip. */
  why?: string | undefined;
  busy?: boolean;
  type?: "button" | "submit";
  /** A promise keeps the button busy until it ends; a failure is shown as a toast. */
  run?: (() => unknown) | undefined;
  label?: string;
  className?: string;
};

/** Remembers that something is under way, so that it cannot be started twice. */
export function useBusy(): [boolean, (work: () => unknown) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const start = async (work: () => unknown) => {
    if (busy) return;
    try {
      const under = work();
      if (!(under instanceof Promise)) return;
      setBusy(true);
      await under;
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return [busy, start];
}

export function Button({
  children,
  icon,
  look = "plain",
  size = "md",
  why,
  busy,
  type,
  run,
  label,
  className = "",
}: Props) {
  const [running, start] = useBusy();
  const loading = busy || running;
  const off = why !== undefined && why !== "";
  const button = (
    <button
      type={type ?? "button"}
      className={`btn btn--${look} btn--${size} ${className}`}
      aria-disabled={off || undefined}
      aria-busy={loading || undefined}
      aria-label={label}
      onClick={(event) => {
        if (off || loading) event.preventDefault();
        else if (run) void start(run);
      }}
    >
      {loading ? <span className="btn__spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
  return off ? <Tooltip title={why}>{button}</Tooltip> : button;
}

type IconButtonProps = {
  icon: IconName;
  label: string;
  run?: () => unknown;
  why?: string | undefined;
  small?: boolean;
  size?: 12 | 14 | 16;
};

/** A square button with only a drawing; `label` is its name for everybody. */
export function IconButton({ icon, label, run, why, small, size }: IconButtonProps) {
  const [running, start] = useBusy();
  const off = Boolean(why);
  const button = (
    <button
      type="button"
      className={`ib ${small ? "ib--sm" : ""}`}
      aria-label={label}
      title={off ? undefined : label}
      aria-disabled={off || undefined}
      onClick={() => !off && run && void start(run)}
    >
      {running ? <span className="btn__spin" /> : <Icon name={icon} size={size ?? 16} />}
    </button>
  );
  return off ? <Tooltip title={why}>{button}</Tooltip> : button;
}
