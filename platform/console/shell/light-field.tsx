import { useId, useState, useCallback, useEffect, type InputHTMLAttributes, type ReactNode } from "react";
import { Failure } from "../calls/failure.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { fetchFile } from "../calls/request.ts";
import "./public-page.css";

type Captcha = { key: string; url: string };

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

export type Errors = Partial<Record<string, string>>;
/** What is typed into a form of the light pages, and the sentences against it. */
export interface LightForm<V> {
  values: V;
  errors: Errors;
  set(patch: Partial<V>): void;
  setErrors(errors: Errors): void;
  /** Value, change and sentence of a field; with `judge` it is judged when it is left. */
  field(
    key: keyof V & string,
    judge?: (value: string) => string | undefined,
  ): Pick<Props, "value" | "onChange" | "onBlur" | "error">;
  /** Shows what is wrong; true where nothing is. */
  passes(found: Errors): boolean;
  /** Lays the server's sentences on its fields and gives their names; `names` are those that the server calls otherwise. */
  refused(error: unknown, names?: Record<string, string>): string[];
}

export function useLightForm<V extends Record<string, string>>(empty: V): LightForm<V> {
  const [values, setValues] = useState(empty);
  const [errors, setErrors] = useState<Errors>({});
  const set = (patch: Partial<V>) => setValues((before) => ({ ...before, ...patch }));
  return {
    values,
    errors,
    set,
    setErrors,
    field: (key, judge) => ({
      value: values[key],
      onChange: (value) => set({ [key]: value } as Partial<V>),
      error: errors[key],
      ...(judge && { onBlur: () => values[key] && setErrors({ ...errors, [key]: judge(values[key]!) }) }),
    }),
    passes: (found) => {
      setErrors(found);
      return !Object.keys(found).length;
    },
    refused: (error, names = {}) => {
      const fields = error instanceof Failure ? error.fields : [];
      const said = fields.map((f) => [names[f.field] ?? f.field, f.msg] as const);
      setErrors(Object.fromEntries(said));
      return said.map(([field]) => field);
    },
  };
}

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
  label: string;
  icon?: IconName;
  error: string | undefined;
  onChange: (value: string) => void;
  /** Inside the box, at its end. */
  tool?: ReactNode;
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
