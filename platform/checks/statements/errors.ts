import type { Section } from "./proof.ts";
import * as rule from "./rules.ts";
import * as at from "./server.ts";
import * as seen from "./stories.ts";

export const errors: Section = {
  number: "8",
  title: "Error catalogue",
  statements: [
    ["401: 未授权，请重新登录(401)", rule.ONE_401, seen.FIRST_401, at.FIXED_401],
    ["401 besides: 长时间未操作，请重新登录！", rule.ONE_401, seen.FIRST_401],
    ["A 401 logs out and loads the page anew", rule.ONE_401, seen.PAGE_401],
    ["403 is told as refused", seen.STATUSES],
    ["404 is told as a wrong request", seen.STATUSES],
    ["408 is told as timed out", seen.STATUSES],
    ["500 is told as an error of the server", seen.STATUSES],
    ["501 is told as not implemented", seen.STATUSES],
    ["502 is told as an error of the network", seen.STATUSES],
    ["503 is told as unavailable", seen.STATUSES],
    ["504 is told as the network timed out", seen.STATUSES],
    ["505 is told as an unsupported version of HTTP", seen.STATUSES],
    ["Any other status is told as a failed connection with its number", seen.STATUSES, rule.STATUS_TEXT],
    ["The server's own message is shown where there is one", rule.OWN_SENTENCE, seen.STATUSES],
    ["Otherwise: 请求出现错误，请稍后再试", rule.OWN_SENTENCE, seen.STATUSES],
    ["A failure is shown as an error", rule.SHOWN_FAILURE],
    ["A 401 shows nothing where it was asked", rule.SHOWN_FAILURE],
    ["What is refused otherwise is shown as a warning", rule.SHOWN_FAILURE],
    ["After a failure of captcha or text message the captcha changes", seen.COUNTDOWN, seen.LOGIN_PICTURE],
    ["版本新增成功", seen.NOTES],
    ["版本修改成功", seen.NOTES],
    ["版本删除成功", seen.NOTES],
    ["短信验证码已发送，请注意查收", seen.NEW_PHONE, seen.COUNTDOWN],
    ["修改手机号成功,请重新登录", seen.NEW_PHONE],
    ["修改密码成功", seen.NEW_PASSWORD],
    ["复制成功", seen.COPIED],
    ["复制失败", seen.COPIED],
    ["A notification stays 4 seconds", seen.TIMES],
    ["A part of a page that has not come after 120 seconds is told", seen.CHUNK],
  ],
};
