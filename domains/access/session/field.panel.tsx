import { type InputHTMLAttributes, type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { fetchFile } from "../../../platform/console/calls/request.ts";
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

export type Captcha = { key: string; url: string };

/** The image captcha: its key comes behind "=" in content-disposition. A failed load clears key and image. */
export function useCaptcha(wanted: boolean): [Captcha | undefined, () => Promise<void>] {
  const [captcha, setCaptcha] = useState<Captcha>();
  const reload = useCallback(async () => {
    try {
      const { blob, name } = await fetchFile({ method: "GET", path: "/system/api/v4/login/getImage" });
      setCaptcha({ key: name, url: URL.createObjectURL(blob) });
    } catch {
      setCaptcha(undefined);
    }
  }, []);
  useEffect(() => {
    if (wanted) void reload();
  }, [wanted, reload]);
  useEffect(() => () => captcha && URL.revokeObjectURL(captcha.url), [captcha]);
  return [captcha, reload];
}

export const CaptchaImage = ({ captcha, reload }: { captcha: Captcha | undefined; reload: () => void }) => (
  <button type="button" className="cap" onClick={reload} aria-label="图形验证码，点击刷新">
    {captcha ? <img src={captcha.url} alt="" /> : "点击刷新"}
  </button>
);
