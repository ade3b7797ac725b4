import { useCallback, useEffect, useState } from "react";
import { fetchFile } from "../../../platform/console/calls/request.ts";

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
